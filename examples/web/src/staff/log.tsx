import {
  ModerationLogDocument, RevertDocument, type ActFragment, type ModerationAction, type Role,
} from '../gql/graphql.ts';
import { useAsk, useChange, useData } from '../lib/client.ts';
import { useModerates, useUser } from '../lib/me.ts';
import { usePlace, withSearch } from '../lib/router.ts';
import { Choices, Empty, Page, Person, Skeleton, Time, Trouble } from '../parts/basics.tsx';
import { Reasoned } from './act.tsx';
import { Effect, Kept } from './evidence.tsx';
import { acts, detailOf, reasons, subjectOf, uncategorised } from './words.ts';

/** What can be undone from the log, and the lowest role that may do so. */
const undoable: Partial<Record<ModerationAction, Role>> = {
  HIDE_POSTS: 'MODERATOR', UPDATE_BLOCKLIST: 'MODERATOR', UPDATE_RULES: 'ADMIN', SET_MODERATOR: 'ADMIN',
  UPDATE_ACCESS: 'ADMIN',
  CREATE_CATEGORY: 'MODERATOR', UPDATE_CATEGORY: 'MODERATOR', DELETE_CATEGORY: 'MODERATOR',
  CREATE_TAB: 'MODERATOR', UPDATE_TAB: 'MODERATOR', DELETE_TAB: 'MODERATOR',
};

function Undo({ act, done }: { act: ActFragment; done: () => void }) {
  const revert = useChange(RevertDocument);
  const role = useUser()?.role;
  const needed = undoable[act.action];
  if (!needed || act.reversedBy || (role !== 'ADMIN' && role !== needed)) return null;
  return (
    <Reasoned
      label="Undo" title="Undo this" action="Undo" reason="OTHER" done="It is undone."
      send={async ({ reason, note }) => {
        const { revertAct } = await revert({ input: { actId: act.id, reason, note } });
        if (!revertAct?.errors.length) done();
        return revertAct;
      }}
    />
  );
}

/** One entry of the moderation log. It can be undone where there is `undone`, which is called then. */
export function Act({ act, undone }: { act: ActFragment; undone?: () => void }) {
  const subject = subjectOf(act);
  const detail = detailOf(act);
  const moderates = useModerates();
  const whole = act.action === 'UPDATE_ACCESS' ? uncategorised : 'the site';
  return (
    <li className="notice-row" data-action={act.action}>
      <div className="what">
        <p className="meta">
          {act.moderator ? <Person user={act.moderator} face /> : <span>A moderator</span>}
          <span>{acts[act.action]}</span>
          {subject
            ? <a href={subject.href} dir="auto">{subject.name}</a>
            : <span>{act.subjectId ? 'what is no longer shown' : whole}</span>}
          {detail && <span>{detail}</span>}
          <Time at={act.createdAt} />
        </p>
        <p className="excerpt">
          {reasons[act.reason]}{act.note && <>: <q dir="auto">{act.note}</q></>}
          {act.member && act.subject?.__typename !== 'User' && <> · by <Person user={act.member} /></>}
          {act.reversedBy && <strong> · reversed</strong>}
        </p>
        <Effect before={act.before} after={act.after} />
        {undone && act.member && !act.role && act.isModerator === null && moderates && <Kept of={act.id} />}
      </div>
      {undone && <Undo act={act} done={undone} />}
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
  const [login, by, subjectId] = ['user', 'by', 'of'].map((name) => place.searchParams.get(name));
  const variables = { action, user: login ? { login } : null, moderator: by ? { login: by } : null, subjectId };
  const { data, error, refresh } = useData(ModerationLogDocument, variables, { requestPolicy: 'cache-and-network' });
  const list = data?.moderationLog;
  const whose = login ? `What concerns ${login}` : by ? `What ${by} did` : subjectId ? 'What was done to it' : '';
  const after = list?.pageInfo.hasNextPage ? list.pageInfo.endCursor : null;
  const options = [['', 'All'], ...Object.entries(shown)].map(([value = '', name = '']) => (
    { value, name, href: withSearch(place, { action: value }) }
  ));
  return (
    <Page title="Moderation log" lead={whose || 'What moderators did, and why'}>
      <Choices label="Which acts" current={action ?? ''} options={options} />
      {!list && (error ? <Trouble error={error} retry={refresh} /> : <Skeleton />)}
      {list?.nodes.length === 0 && <Empty>Nothing was done yet.</Empty>}
      <ul className="rows">{list?.nodes.map((act) => <Act key={act.id} act={act} undone={refresh} />)}</ul>
      {after && (
        <button className="more" onClick={() => void ask(ModerationLogDocument, { ...variables, after })}>More</button>
      )}
    </Page>
  );
}
