import { store } from './store.ts';

/** What one request cost, for the corner that shows it. */
export interface Trace {
  id: number;
  name: string;
  query: string;
  variables: unknown;
  how: 'HTTP' | 'event';
  ms?: number;
  bytes: number;
  sent?: number;
  roundTrips?: number;
  commands?: number;
  values?: number;
  failed: boolean;
}

export interface Answer {
  data?: unknown;
  errors?: readonly unknown[];
  extensions?: { redis?: { roundTrips: number; commands: number }; cost?: { values: number } };
}

/** The latest requests, newest first. */
export const traces = store<Trace[]>([]);
/** Whether the server says what answers cost without being asked, as the demo does. */
export const demo = store(false);
/** The headers of a request that ask for all that is known of its cost: only there. */
export const asked = (): Record<string, string> => (demo.value ? { 'agora-trace': '1' } : {});
let last = 0;

type Facts = Pick<Trace, 'how' | 'bytes' | 'ms' | 'sent'>;

export function record(query: string, variables: unknown, answer: Answer, facts: Facts) {
  const name = /\b(?:query|mutation|subscription)\s+(\w+)/.exec(query)?.[1] ?? 'operation';
  const { redis, cost } = answer.extensions ?? {};
  const failed = Boolean(answer.errors);
  if (redis && !demo.value) demo.set(true);
  const trace: Trace = { id: ++last, name, query, variables, failed, ...redis, ...cost, ...facts };
  traces.set([trace, ...traces.value].slice(0, 40));
}

/** Fetches, and records what the server says about the cost. */
export const tracedFetch: typeof fetch = async (input, init) => {
  const start = performance.now();
  const response = await fetch(input, init);
  const text = await response.text();
  try {
    const { query, variables } = JSON.parse(String(init?.body)) as { query: string; variables: unknown };
    const size = new Blob([text]).size;
    record(query, variables, JSON.parse(text) as Answer, {
      how: 'HTTP', ms: Math.round(performance.now() - start), bytes: size,
      sent: Number(response.headers.get('content-length') ?? size),
    });
  } catch {
    // What is not an answer of GraphQL is the client's to report.
  }
  return new Response(text, response);
};
