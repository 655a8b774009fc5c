import { ModerationLogDocument, type ActFragment, type ModerationAction } from '../gql/graphql.ts';
import { useAsk, useData } from '../lib/client.ts';
import { usePlace, withSearch } from '../lib/router.ts';
import { Choices, Empty, Page, Person, Skeleton, Time, Trouble } from '../parts/basics.tsx';
import { acts, detailOf, reasons, subjectOf } from './words.ts';

/** One entry of the moderation log. */
export function Act({ act }: { act: ActFragment }) {
  const subject = subjectOf(act);
  const detail = detailOf(act);
  return (
    <li className="notice-row" data-action={act.action}>
      <div className="what">
        <p className="meta">
          {act.moderator ? <Person user={act.moderator} face /> : <span>A moderator</span>}
          <span>{acts[act.action]}</span>
          {subject
            ? <a href={subject.href} dir="auto">{subject.name}</a>
            : <span>{act.subjectId ? 'what is no longer shown' : 'the site'}</span>}
          {detail && <span>{detail}</span>}
          <Time at={act.createdAt} />
        </p>
        <p className="excerpt">
          {reasons[act.reason]}{act.note && <>: <q dir="auto">{act.note}</q></>}
          {act.member && act.subject?.__typename !== 'User' && <> · by <Person user={act.member} /></>}
          {act.reversedBy && <strong> · reversed</strong>}
        </p>
      </div>
    </li>
  );
}

const shown: Partial<Record<ModerationAction, string>> = {
  HIDE: 'Hidden', RESTORE: 'Restored', LOCK: 'Locked', BAN: 'Bans', WARN: 'Warnings', SET_ROLE: 'Roles',
};

/** What moderators did, latest first. */
export function Log() {
  const place = usePlace();
  const ask = useAsk();
  const action = (place.searchParams.get('action') || null) as ModerationAction | null;
  const login = place.searchParams.get('user');
  const variables = { action, user: login ? { login } : null };
  const { data, error, refresh } = useData(ModerationLogDocument, variables, { requestPolicy: 'cache-and-network' });
  const list = data?.moderationLog;
  const after = list?.pageInfo.hasNextPage ? list.pageInfo.endCursor : null;
  const options = [['', 'All'], ...Object.entries(shown)].map(([value = '', name = '']) => (
    { value, name, href: withSearch(place, { action: value }) }
  ));
  return (
    <Page title="Moderation log" lead={login ? `What concerns ${login}` : 'What moderators did, and why'}>
      <Choices label="Which acts" current={action ?? ''} options={options} />
      {!list && (error ? <Trouble error={error} retry={refresh} /> : <Skeleton />)}
      {list?.nodes.length === 0 && <Empty>Nothing was done yet.</Empty>}
      <ul className="rows">{list?.nodes.map((act) => <Act key={act.id} act={act} />)}</ul>
      {after && (
        <button className="more" onClick={() => void ask(ModerationLogDocument, { ...variables, after })}>More</button>
      )}
    </Page>
  );
}
