import { createClient, type Client, type ClientOptions } from 'graphql-ws';

/** How long to wait before the next attempt, in milliseconds: a second or two at first, a minute at most. */
export const pause = (attempts: number, unit = 1000): Promise<void> =>
  new Promise((done) => setTimeout(done, unit * Math.min(2 ** attempts, 30) * (1 + Math.random())));

/** Options of `socketClient`. All others are those of graphql-ws. */
export interface SocketOptions extends Omit<ClientOptions, 'url' | 'connectionParams'> {
  /** The address of `/graphql`, with http or ws. */
  url: string;
  /** Returns the token, or nothing when signed out. It is called for each connection. */
  token: () => string | null | undefined;
  /** How long the server may take to answer a ping, in milliseconds; 5,000 if left out. */
  patience?: number;
}

/**
 * Makes a client of graphql-ws continue after the last event that it handled: the variable `after` follows the
 * `eventId`s. The document declares `$after: String`, passes it on and selects `eventId`. Then every event arrives
 * once and in order, however often the connection breaks.
 */
export function resuming(client: Client): Client {
  return {
    ...client,
    subscribe: ((request, sink) => {
      const variables: Record<string, unknown> = { ...request.variables };
      return client.subscribe({ ...request, variables }, {
        next(result) {
          sink.next(result as never);
          for (const event of Object.values((result.data ?? {}) as Record<string, { eventId?: string } | null>)) {
            if (event?.eventId) variables['after'] = event.eventId;
          }
        },
        error: (err) => sink.error(err),
        complete: () => sink.complete(),
      });
    }) as Client['subscribe'],
  };
}

/**
 * One socket for all subscriptions. It reconnects until it succeeds, notices a server that no longer answers, and
 * resumes. After signing in or out call `terminate()`: it reconnects with the new token, and subscriptions continue.
 */
export function socketClient({ url, token, patience = 5000, on, ...options }: SocketOptions): Client {
  let late: ReturnType<typeof setTimeout> | undefined;
  const client: Client = createClient({
    url: url.replace(/^http/, 'ws'),
    connectionParams: () => {
      const secret = token();
      return secret ? { authorization: `Bearer ${secret}` } : {};
    },
    // Also when the server cannot be reached. 4400, 4401, 4406, 4409 and 4429 still end it.
    shouldRetry: () => true,
    retryAttempts: Infinity,
    retryWait: (attempts) => pause(attempts),
    keepAlive: 10_000,
    on: {
      ...on,
      ping: (received, payload) => {
        if (!received) late = setTimeout(() => client.terminate(), patience);
        on?.ping?.(received, payload);
      },
      pong: (received, payload) => {
        if (received) clearTimeout(late);
        on?.pong?.(received, payload);
      },
      closed: (event) => {
        clearTimeout(late);
        on?.closed?.(event);
      },
    },
    ...options,
  });
  return resuming(client);
}
