import { bytes, count } from '../lib/format.ts';
import { stored, useStore } from '../lib/store.ts';
import { demo, traces, type Trace } from '../lib/trace.ts';
import { Icon } from './icons.tsx';

const kept = stored('agora:inspector');

function playground({ query, variables }: Trace): string {
  const search = new URLSearchParams({ query: query.trim(), variables: JSON.stringify(variables ?? {}, null, 2) });
  return `/playground?${search}`;
}

function Line({ trace }: { trace: Trace }) {
  const { roundTrips, commands, values, sent, ms } = trace;
  return (
    <li data-failed={trace.failed}>
      <a href={playground(trace)} target="_blank" title="Open in the playground">{trace.name}</a>
      <span className="how">{trace.how === 'event' ? 'live event' : `${ms} ms`}</span>
      <dl>
        <div><dt>round trips</dt><dd>{roundTrips ?? '–'}</dd></div>
        <div><dt>commands</dt><dd>{commands ?? '–'}</dd></div>
        <div title={sent === undefined ? '' : `${bytes(sent)} compressed`}>
          <dt>size</dt>
          <dd>{bytes(trace.bytes)}{sent !== undefined && sent < trace.bytes && ` (${bytes(sent)} sent)`}</dd>
        </div>
        {values !== undefined && <div><dt>cost</dt><dd>{count(values, 'value')}</dd></div>}
      </dl>
    </li>
  );
}

/** A corner of the demo that says what each request cost, and opens it in the playground. */
export function Inspector() {
  const list = useStore(traces);
  const open = useStore(kept) === 'open';
  const latest = list.find((trace) => trace.how === 'HTTP');
  const toggle = () => kept.set(open ? '' : 'open');
  if (!useStore(demo) || !latest) return null;
  return (
    <aside className="inspector" aria-label="Requests">
      <div className="bar">
        <button aria-expanded={open} aria-controls="requests" onClick={toggle} title="What the latest request cost">
          <Icon name="pulse" />
          <span>{latest.name}</span>
          <b>{latest.roundTrips ?? '–'}</b> trips <b>{latest.commands ?? '–'}</b> cmds
          <b>{bytes(latest.sent ?? latest.bytes)}</b>
        </button>
      </div>
      {open && (
        <ol id="requests" tabIndex={0} aria-label="Latest requests">
          {list.map((trace) => <Line key={trace.id} trace={trace} />)}
        </ol>
      )}
    </aside>
  );
}
