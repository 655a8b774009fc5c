import {
  QueueDocument, ReportAddedDocument, ResolveReportsDocument, type CaseFragment, type ReportOutcome, type ReportState,
} from '../gql/graphql.ts';
import { useAsk, useChange, useData, useLive } from '../lib/client.ts';
import { count } from '../lib/format.ts';
import { isModerator, useSite, useUser } from '../lib/me.ts';
import { go, usePlace, withSearch } from '../lib/router.ts';
import { CategoryLink, Choices, Empty, Page, Person, Skeleton, Time, Trouble } from '../parts/basics.tsx';
import { say } from '../parts/toasts.tsx';
import { Moderate } from './act.tsx';
import { Whole } from '../parts/comments.tsx';
import { Copies, Kept, presentOf } from './evidence.tsx';
import { Act } from './log.tsx';
import { reasons, subjectOf } from './words.ts';

/** One topic, comment or member that was reported, with the reports. */
function Case({ of, refresh }: { of: CaseFragment; refresh: () => void }) {
  const resolve = useChange(ResolveReportsDocument);
  const { subject } = of;
  const to = subjectOf(of);
  const settle = (outcome: ReportOutcome) => resolve({
    input: { subjectId: of.subjectId, throughReport: of.throughReport, outcome },
  }).then(({ resolveReports: result }) => {
    if (result?.errors[0]) say(result.errors[0].message);
    else if (!result?.changed) say('Another moderator was faster.');
    refresh();
  }, (fault: Error) => say(fault.message));
  return (
    <li className="panel case" data-subject={of.subjectId}>
      <p className="meta">
        <strong>{of.isHeld ? 'Held for approval' : count(of.reportCount, 'report')}</strong>
        {to ? <a href={to.href} dir="auto">{to.name}</a> : <span>It is gone.</span>}
        <span>by <Person user={of.author} face /></span>
        {of.category && <CategoryLink of={of.category} />}
        {of.firstReportedAt && of.reportCount > 1 && <>from <Time at={of.firstReportedAt} /> to</>}
        {of.lastReportedAt && <Time at={of.lastReportedAt} />}
        <a href={`/log?of=${encodeURIComponent(of.subjectId)}`}>Log</a>
      </p>
      {of.reportCount > 1 && (
        <p className="meta">{of.reasons.map(({ reason, count: n }) => (
          <span key={reason} className="chip">{reasons[reason]}{n > 1 && ` × ${n}`}</span>
        ))}</p>
      )}
      {subject && 'contentHtml' in subject && <Whole of={subject} />}
      {of.evidence ? <Copies copies={of.evidence} subject={subject} /> : <Kept of={of.subjectId} />}
      <ul className="plain">
        {of.reports.nodes.map((report) => (
          <li key={report.number}>
            <span><strong>{reasons[report.reason]}</strong> {report.note && <q dir="auto">{report.note}</q>}</span>
            <Person user={report.reporter} />
          </li>
        ))}
      </ul>
      {of.resolvedBy && <ul className="plain"><Act act={of.resolvedBy} /></ul>}
      {of.state === 'OPEN' && (
        <div className="tools">
          {presentOf(subject) && subject && subject.__typename !== 'User' && (
            <Moderate id={of.subjectId} type={subject.__typename} done={refresh} />
          )}
          {of.reportCount > 0 && (
            <>
              <button className="quiet" onClick={() => void settle('UPHELD')}>Uphold</button>
              <button className="quiet" onClick={() => void settle('DISMISSED')}>Dismiss</button>
            </>
          )}
        </div>
      )}
    </li>
  );
}

const states: Record<ReportState, string> = { OPEN: 'Open', UPHELD: 'Upheld', DISMISSED: 'Dismissed' };

/** What waits for the moderators. */
export function Queue() {
  const place = usePlace();
  const user = useUser();
  const { categories, viewer } = useSite();
  const ask = useAsk();
  const chosen = place.searchParams.get('state') ?? '';
  const state: ReportState = chosen in states ? (chosen as ReportState) : 'OPEN';
  // Who moderates only some categories sees the reports of one of them at a time.
  const mine = (isModerator(user) ? categories?.nodes : viewer?.moderates) ?? [];
  const name = place.searchParams.get('category') ?? (isModerator(user) ? '' : mine[0]?.name ?? '');
  const variables = { state, category: name ? { name } : null };
  const { data, error, refresh } = useData(QueueDocument, variables, { requestPolicy: 'cache-and-network' });
  useLive(ReportAddedDocument, { category: variables.category }, false, refresh);
  const list = data?.reportQueue;
  const after = list?.pageInfo.hasNextPage ? list.pageInfo.endCursor : null;
  const options = Object.entries(states).map(([value, name]) => (
    { value, name, href: withSearch(place, { state: value === 'OPEN' ? '' : value }) }
  ));
  return (
    <Page title="Reports" lead="What members reported, and what waits for approval">
      <Choices label="Which reports" current={state} options={options} />
      <label className="field">
        <span>Category</span>
        <select value={name} onChange={(event) => go(withSearch(place, { category: event.target.value }))}>
          {isModerator(user) && <option value="">All</option>}
          {mine.map((each) => <option key={each.id} value={each.name}>{each.name}</option>)}
        </select>
      </label>
      {!list && (error ? <Trouble error={error} retry={refresh} /> : <Skeleton />)}
      {list?.nodes.length === 0 && <Empty>Nothing waits.</Empty>}
      <ol className="plain">{list?.nodes.map((of) => <Case key={of.subjectId} of={of} refresh={refresh} />)}</ol>
      {after && <button className="more" onClick={() => void ask(QueueDocument, { ...variables, after })}>More</button>}
    </Page>
  );
}
