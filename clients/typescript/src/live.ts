import { codeOf, SignedOutError, type RequestError } from './errors.ts';

/**
 * Returns the token, or nothing when signed out; it may fetch one. It is asked for each connection and each request.
 * `old` is a token that was refused, or ends soon: then it returns another, if there is one.
 */
export type Token = (old?: string) => string | null | undefined | Promise<string | null | undefined>;

/** How long to wait before the next attempt, in milliseconds: a second or two at first, a minute at most. */
export const pause = (attempts: number, unit = 1000): Promise<void> =>
  new Promise((done) => setTimeout(done, unit * Math.min(2 ** attempts, 30) * (1 + Math.random())));

type Ask = (old?: string | null) => Promise<string | null>;

/** Returns what asks for the token, once for all that ask the same while it is fetched. */
export function asking(token: Token): Ask {
  const asked = new Map<string | undefined, Promise<string | null>>();
  return (old) => {
    const key = old ?? undefined;
    const running = asked.get(key) ?? (async () => (await token(key)) || null)().finally(() => asked.delete(key));
    asked.set(key, running);
    return running;
  };
}

/** When a token ends, in milliseconds since 1970; undefined unless it is a JWT that says so. */
function endOf(token: string | null): number | undefined {
  try {
    const { exp } = JSON.parse(atob(token!.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/'))) as { exp?: unknown };
    return typeof exp === 'number' ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}

/** The longest time that a timer can wait, in milliseconds. */
const longest = 2 ** 31 - 1;
/** A connection that lasted longer, in milliseconds, had a token that was good. */
const brief = 1000;
/** How many connections in a row may be refused at once, each with another token. */
const refusals = 3;

/** Connections, one after the other, and the token of the last one. */
export class Line {
  private readonly ask: Ask;
  private token: string | null = null;
  private since = NaN;
  private refused = 0;
  private deciding: Promise<boolean> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ask: Ask) {
    this.ask = ask;
  }

  /** Returns what goes with the next connection, with the token as it is now. */
  async open(): Promise<{ authorization?: string }> {
    this.close();
    this.since = NaN;
    this.token = await this.ask();
    return this.token ? { authorization: `Bearer ${this.token}` } : {};
  }

  /** Calls `renew` once there is another token, some time before that of the connection, which is open, ends. */
  opened(renew: (next: string | null) => void): void {
    this.since = Date.now();
    this.watch(renew, 0);
  }

  /** Notes that the connection has a newer token, and goes on to watch it. */
  renewed(token: string, renew: (next: string | null) => void): void {
    this.token = token;
    this.watch(renew, 0);
  }

  private watch(renew: (next: string | null) => void, asked: number): void {
    this.close();
    const end = endOf(this.token);
    if (end === undefined) return;
    // The clocks may differ: a token that seems to have ended is not asked for all the time.
    const wait = Math.max((end - Date.now()) * 0.75, 1000 * 2 ** asked);
    const timer = this.timer = setTimeout(async () => {
      const next = await this.ask(this.token).catch(() => this.token);
      if (this.timer !== timer) return;
      if (next === this.token) this.watch(renew, asked + 1);
      else renew(next);
    }, Math.min(wait, longest));
  }

  /** Notes that the connection is closed. */
  close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Reports whether to connect again after the token was refused: there is another one, and it may be better. */
  again(): Promise<boolean> {
    return this.deciding ??= this.decide().finally(() => {
      this.deciding = undefined;
    });
  }

  private async decide(): Promise<boolean> {
    if (Date.now() - this.since > brief) this.refused = 0;
    const { token } = this;
    // If there is no answer, the next connection asks, and again until there is one.
    const next = await this.ask(token).catch(() => undefined);
    if (next === token || ++this.refused > refusals) return false;
    if (this.refused > 1) await pause(this.refused - 2);
    return true;
  }
}

/** What is sent to subscribe. */
interface Request {
  variables?: Record<string, unknown> | null | undefined;
}

interface Result {
  data?: unknown;
  errors?: unknown;
}

interface Sink {
  next(result: Result): void;
  error(err: unknown): void;
  complete(): void;
}

/** Reports whether the token was refused with which a request was sent, or the request needs one. */
export const isRefused = (err: unknown): boolean => codeOf(err as RequestError) === 'UNAUTHENTICATED';

/**
 * Subscribes so that it can continue: the variable `after` follows the `eventId`s. `again` is called with the error at
 * its end, and returns whether to subscribe again, or nothing unless the error is that the token was refused.
 */
export function resume<R extends Request>(
  subscribe: (request: R, sink: Sink) => () => void, request: R, sink: Sink,
  again: (err: unknown) => Promise<boolean> | undefined,
): { stop: () => void; restart: () => void } {
  const variables: Record<string, unknown> = { ...request.variables };
  let stop: () => void;
  let stopped = false;
  let last = 0;
  const start = () => {
    const mine = ++last;
    let refused: unknown;
    const end = async (err: unknown) => {
      const decision = again(err);
      if (!decision) return sink.error(err);
      stop(); // also what the client keeps for a subscription that has failed
      const waiting = ++last;
      const yes = await decision;
      if (stopped) return sink.complete();
      if (waiting !== last) return; // restarted
      if (yes) start();
      else sink.error(new SignedOutError(err));
    };
    stop = subscribe({ ...request, variables }, {
      next(result) {
        if (mine !== last) return;
        if (result.data === undefined && isRefused(result.errors)) {
          refused = result.errors;
          return;
        }
        sink.next(result);
        for (const event of Object.values((result.data ?? {}) as Record<string, { eventId?: string } | null>)) {
          if (event?.eventId) variables['after'] = event.eventId;
        }
      },
      error: (err) => void (mine === last && end(err)),
      complete: () => void (mine === last && (refused ? end(refused) : sink.complete())),
    });
  };
  start();
  return {
    stop: () => {
      stopped = true;
      stop();
    },
    restart: () => {
      last++;
      stop();
      if (!stopped) start();
    },
  };
}
