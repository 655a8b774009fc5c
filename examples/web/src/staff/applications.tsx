import {
  ApplicationsDocument, ResolveApplicationDocument, type ApplicantFragment, type ApplicationState,
} from '../gql/graphql.ts';
import { useAsk, useChange, useData } from '../lib/client.ts';
import { usePlace, withSearch } from '../lib/router.ts';
import { Choices, Empty, Skeleton, Time, Trouble } from '../parts/basics.tsx';
import { say } from '../parts/toasts.tsx';
import { Reasoned } from './act.tsx';
import { Managed } from './manage.tsx';
import { reasons } from './words.ts';

/** Somebody who registered and waits for approval, or was rejected. */
function Applicant({ of: { userId, login, name, text, createdAt, rejection }, refresh }: {
  of: ApplicantFragment; refresh: () => void;
}) {
  const resolve = useChange(ResolveApplicationDocument);
  const approve = () => resolve({ input: { userId, approve: true } }).then(({ resolveApplication: result }) => {
    say(result?.errors[0]?.message ?? `${login} can sign in now.`);
    refresh();
  }, (fault: Error) => say(fault.message));
  return (
    <li className="panel case">
      <p className="meta"><strong dir="auto">{name}</strong><bdi>@{login}</bdi><Time at={createdAt} /></p>
      {text && <p className="prose" dir="auto">{text}</p>}
      {rejection && (
        <p>Rejected: {reasons[rejection.reason]} {rejection.note && <q dir="auto">{rejection.note}</q>}</p>
      )}
      <div className="tools">
        <button className="quiet" onClick={() => void approve()}>
          Approve<span className="hidden"> {login}</span>
        </button>
        {!rejection && (
          <Reasoned
            label={<>Reject<span className="hidden"> {login}</span></>} title={`Reject ${login}`}
            action="Reject" reason="SPAM" done={`${login} is rejected.`}
            send={async ({ reason, note }) => {
              const { resolveApplication } = await resolve({ input: { userId, approve: false, reason, note } });
              refresh();
              return resolveApplication;
            }}
          />
        )}
      </div>
    </li>
  );
}

const states: Record<ApplicationState, string> = { PENDING: 'Waiting', REJECTED: 'Rejected' };

function Present() {
  const place = usePlace();
  const ask = useAsk();
  const state: ApplicationState = place.searchParams.get('state') === 'REJECTED' ? 'REJECTED' : 'PENDING';
  const { data, error, refresh } = useData(ApplicationsDocument, { state }, { requestPolicy: 'network-only' });
  const list = data?.applications;
  const after = list?.pageInfo.hasNextPage ? list.pageInfo.endCursor : null;
  const options = Object.entries(states).map(([value, name]) => (
    { value, name, href: withSearch(place, { state: value === 'PENDING' ? '' : value }) }
  ));
  return (
    <>
      <Choices label="Which applications" current={state} options={options} />
      {!list && (error ? <Trouble error={error} retry={refresh} /> : <Skeleton rows={3} />)}
      {list?.nodes.length === 0 && <Empty>{state === 'PENDING' ? 'Nobody waits.' : 'Nobody is rejected.'}</Empty>}
      <ol className="plain">{list?.nodes.map((of) => <Applicant key={of.userId} of={of} refresh={refresh} />)}</ol>
      {after && <button className="more" onClick={() => void ask(ApplicationsDocument, { state, after })}>More</button>}
    </>
  );
}

export const Applications = () => (
  <Managed at="/manage/applications" lead="Who registered and waits for approval">
    <Present />
  </Managed>
);
