import {
  QueueDocument, ReportAddedDocument, ResolveReportsDocument, type CaseFragment, type ReportOutcome, type ReportState,
} from '../gql/graphql.ts';
import { useAsk, useChange, useData, useLive } from '../lib/client.ts';
import { count } from '../lib/format.ts';
import { usePlace, withSearch } from '../lib/router.ts';
import { Choices, Empty, Page, Person, Skeleton, Time, Trouble } from '../parts/basics.tsx';
import { say } from '../parts/toasts.tsx';
import { Moderate } from './act.tsx';
import { Whole } from '../parts/comments.tsx';
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
        {subject && 'author' in subject && <>by <Person user={subject.author} face /></>}
        {of.lastReportedAt && <Time at={of.lastReportedAt} />}
      </p>
      {subject && 'contentHtml' in subject && <Whole of={subject} />}
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
          {(subject?.__typename === 'Topic' || subject?.__typename === 'Comment') && (
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
  const ask = useAsk();
  const chosen = place.searchParams.get('state') ?? '';
  const state: ReportState = chosen in states ? (chosen as ReportState) : 'OPEN';
  const { data, error, refresh } = useData(QueueDocument, { state }, { requestPolicy: 'cache-and-network' });
  useLive(ReportAddedDocument, {}, false, refresh);
  const list = data?.reportQueue;
  const after = list?.pageInfo.hasNextPage ? list.pageInfo.endCursor : null;
  const options = Object.entries(states).map(([value, name]) => (
    { value, name, href: withSearch(place, { state: value === 'OPEN' ? '' : value }) }
  ));
  return (
    <Page title="Reports" lead="What members reported, and what waits for approval">
      <Choices label="Which reports" current={state} options={options} />
      {!list && (error ? <Trouble error={error} retry={refresh} /> : <Skeleton />)}
      {list?.nodes.length === 0 && <Empty>Nothing waits.</Empty>}
      <ol className="plain">{list?.nodes.map((of) => <Case key={of.subjectId} of={of} refresh={refresh} />)}</ol>
      {after && <button className="more" onClick={() => void ask(QueueDocument, { state, after })}>More</button>}
    </Page>
  );
}
