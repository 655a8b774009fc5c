import { createClient, NetworkError, type Client, type ClientOptions } from 'graphql-sse';
import { asking, isRefused, Line, pause, resume, type Token } from './live.ts';

/** Options of `streamClient`. All others are those of graphql-sse. */
export interface StreamOptions extends Omit<ClientOptions<false>, 'url' | 'headers' | 'singleConnection'> {
  /** The address of `/graphql`. */
  url: string;
  token: Token;
}

/** A client of graphql-sse. */
export interface StreamClient extends Client<false> {
  /** Connects again with the token as it is now. Subscriptions continue. */
  terminate: () => void;
}

/**
 * A stream of server-sent events for each subscription. It reconnects, resumes and changes tokens as `socketClient` does,
 * but connects again for a newer token. After signing in or out call `terminate()`.
 */
export function streamClient({ url, token, on, ...options }: StreamOptions): StreamClient {
  const ask = asking(token);
  const lines = new WeakMap<object, Line>();
  const running = new Set<() => void>();
  const client = createClient<false>({
    url,
    singleConnection: false,
    headers: async (request) => {
      try {
        return (await (lines.get(request!) ?? new Line(ask)).open()) as Record<string, string>;
      } catch (err) {
        throw new NetworkError(err as Error); // which is tried again
      }
    },
    retryAttempts: Infinity,
    retry: (attempts) => pause(attempts),
    on: { ...on, connected: undefined },
    ...options,
  });
  return {
    ...client,
    terminate: () => running.forEach((restart) => restart()),
    subscribe: ((request, sink, each) => {
      const line = new Line(ask);
      let returns = false;
      const events = {
        ...each,
        connected: (again: boolean) => {
          line.opened(restart);
          each?.connected?.(again || returns);
          on?.connected?.(again || returns);
          returns = false;
        },
      };
      const again = (err: unknown) => {
        line.close();
        if (!isRefused(err)) return undefined;
        returns = true;
        return line.again();
      };
      const over = () => {
        line.close();
        running.delete(restart);
      };
      const restart = () => {
        returns = true;
        live.restart();
      };
      const live = resume((each: typeof request, sink) => {
        lines.set(each, line);
        return client.subscribe(each, sink, events);
      }, request, {
        next: (result) => sink.next(result as never),
        error: (err) => {
          over();
          sink.error(err);
        },
        complete: () => {
          over();
          sink.complete();
        },
      }, again);
      running.add(restart);
      return () => {
        over();
        live.stop();
      };
    }) as Client<false>['subscribe'],
  };
}
