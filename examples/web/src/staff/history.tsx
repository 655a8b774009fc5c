import { FirstTextDocument, HistoryDocument, RedactDocument, type VersionFragment } from '../gql/graphql.ts';
import { useAsk, useChange, useData } from '../lib/client.ts';
import { isModerator, useModerates, useUser } from '../lib/me.ts';
import { path } from '../lib/router.ts';
import { Empty, Page, Person, Skeleton, Time, Trouble } from '../parts/basics.tsx';
import { say } from '../parts/toasts.tsx';
import { Kept } from './evidence.tsx';

const signs = { KEPT: ' ', ADDED: '+', REMOVED: '−' } as const;

/** What an edit changed, by lines. */
function Difference({ hunks }: { hunks: NonNullable<VersionFragment['hunks']> }) {
  return (
    <div className="difference">
      {hunks.map((hunk) => (
        <pre key={hunk.oldStart} dir="auto">
          {hunk.lines.map((line, i) => (
            <span key={i} className={line.change.toLowerCase()}>{signs[line.change]} {line.text}{'\n'}</span>
          ))}
          {hunk.isTruncated && '…'}
        </pre>
      ))}
    </div>
  );
}

/** What was written at first. */
function FirstText({ of }: { of: string }) {
  const node = useData(FirstTextDocument, { id: of }).data?.node;
  return <pre dir="auto">{node && 'revisions' in node && node.revisions.nodes[0]?.content}</pre>;
}

function Version({ of, version, first, present }: {
  of: string; version: VersionFragment; first: boolean; present: boolean;
}) {
  const redact = useChange(RedactDocument);
  const user = useUser();
  const redacted = !version.isRedacted;
  return (
    <li className="panel">
      <p className="meta">
        <strong>{present ? 'Present text' : `Revision ${version.number}`}</strong>
        <Person user={version.editor} face />
        <Time at={version.createdAt} />
        {version.isRedacted && <span>out of sight</span>}
        {!present && isModerator(user) && (
          <button
            className="quiet"
            onClick={() => void redact({
              input: { subjectId: of, number: version.number, redacted, reason: 'PRIVACY' },
            }).then(
              ({ redactRevision: result }) => result?.errors[0] && say(result.errors[0].message),
              (fault: Error) => say(fault.message),
            )}
          >
            {redacted ? 'Redact' : 'Show again'}
          </button>
        )}
      </p>
      {version.title && <h2 dir="auto">{version.title}</h2>}
      {version.isRedacted && !version.hunks && <p className="tombstone">A moderator took this text out of sight.</p>}
      {first && version.hunks && <FirstText of={of} />}
      {!first && version.hunks && <Difference hunks={version.hunks} />}
    </li>
  );
}

/** Who wrote what of a topic or comment, latest first. */
export function History({ id }: { id: string }) {
  const { data, error, refresh } = useData(HistoryDocument, { id }, { requestPolicy: 'cache-and-network' });
  const ask = useAsk();
  const moderates = useModerates();
  const node = data?.node;
  if (error && !node) return <Trouble error={error} retry={refresh} />;
  if (!node) return data ? <Empty>It is gone.</Empty> : <Skeleton />;
  if (!('revisions' in node)) return <Empty>This has no history.</Empty>;
  const [name, href] = 'topic' in node
    ? [`comment ${node.number} on ${node.topic.title}`, `${path('t', node.topic.number)}#c${node.number}`]
    : [node.title, path('t', node.number)];
  const { nodes, pageInfo } = node.revisions;
  const after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  return (
    <Page title="History" lead={<>Edits of <a href={href} dir="auto">{name}</a></>}>
      {moderates && <Kept of={id} />}
      {nodes.length === 0 && <Empty>It was never edited.</Empty>}
      <ol className="plain">
        {nodes.map((version, i) => {
          const first = i === nodes.length - 1 && !after;
          return <Version key={version.number} of={id} version={version} present={i === 0} first={first} />;
        })}
      </ol>
      {after && <button className="more" onClick={() => void ask(HistoryDocument, { id, after })}>More</button>}
    </Page>
  );
}
