import { createClient, type Client, type ClientOptions } from 'graphql-ws';
import { asking, isRefused, Line, pause, resume, type Token } from './live.ts';

export { pause, type Token };

/** Options of `socketClient`. All others are those of graphql-ws. */
export interface SocketOptions extends Omit<ClientOptions, 'url' | 'connectionParams'> {
  /** The address of `/graphql`, with http or ws. */
  url: string;
  token: Token;
  /** How long the server may take to answer a ping, in milliseconds; 5,000 if left out. */
  patience?: number;
}

const renewal = 'mutation ($token: String!) { renewToken(input: {token: $token}) { expiresAt } }';

/**
 * One socket for all subscriptions. It reconnects until it succeeds, notices a server that no longer answers, and
 * resumes: a document that declares `$after: String`, passes it on and selects `eventId` gets every event once and in
 * order, however often the connection breaks. Before a token ends that says when, the next one is used; if the server
 * refuses one and `token` answers another, too. Otherwise subscriptions end with a `SignedOutError`. After signing in or
 * out call `terminate()`: it reconnects with the new token, and subscriptions continue.
 */
export function socketClient({ url, token, patience = 5000, on, ...options }: SocketOptions): Client {
  const line = new Line(asking(token));
  const verdicts = new WeakMap<object, Promise<boolean>>(); // on connections that were closed because of the token
  let opening: ReturnType<Line['open']>;
  let late: ReturnType<typeof setTimeout> | undefined;
  let returns = false;
  let changes = 0; // of the socket: how often it was opened and closed
  const client: Client = createClient({
    // The token is fetched first: the server does not wait long for it once the socket is open.
    url: async () => {
      opening = line.open();
      await opening.catch(() => {});
      return url.replace(/^http/, 'ws');
    },
    // Without an answer the next attempt asks again. A socket that is terminated no longer matters to the client, however
    // late it closes; one that fails here would end the next.
    connectionParams: () => opening.catch(() => {
      client.terminate();
      return {};
    }),
    // Also when the server cannot be reached. 4400, 4406, 4409 and 4429 still end it.
    shouldRetry: () => true,
    retryAttempts: Infinity,
    retryWait: (attempts) => pause(attempts),
    keepAlive: 10_000,
    on: {
      ...on,
      connected: (socket, payload, again) => {
        changes++;
        line.opened(renew);
        on?.connected?.(socket, payload, again || returns);
        returns = false;
      },
      ping: (received, payload) => {
        if (!received) late = setTimeout(() => client.terminate(), patience);
        on?.ping?.(received, payload);
      },
      pong: (received, payload) => {
        if (received) clearTimeout(late);
        on?.pong?.(received, payload);
      },
      closed: (event) => {
        changes++;
        clearTimeout(late);
        line.close();
        if ((event as CloseEvent).code === 4401) {
          const verdict = line.again();
          verdicts.set(event as object, verdict);
          void verdict.then((yes) => (returns = yes));
        }
        on?.closed?.(event);
      },
    },
    ...options,
  });
  // Gives the open socket a newer token; one of another user, or none, needs another socket.
  const renew = (next: string | null) => {
    if (!next) return client.terminate();
    const before = changes;
    let renewed = false;
    const done = () => {
      stop(); // also what the client keeps for an operation that has failed
      if (before !== changes) return; // of another socket
      if (renewed) line.renewed(next, renew);
      else client.terminate();
    };
    const stop = client.subscribe<{ renewToken: { expiresAt: string | null } }>({ query: renewal, variables: { token: next } }, {
      next: ({ data }) => {
        renewed = Boolean(data?.renewToken.expiresAt);
      },
      error: done,
      complete: done,
    });
  };
  const again = (err: unknown) => verdicts.get(err as object) ?? (isRefused(err) ? elsewhere() : undefined);
  // What needs a user was refused on a socket that is open.
  const elsewhere = async () => {
    const yes = await line.again();
    returns ||= yes; // the socket may be closed, as nothing else needs it
    if (yes) client.terminate();
    return yes;
  };
  return {
    ...client,
    subscribe: ((request, sink) => resume(client.subscribe, request, sink as never, again).stop) as Client['subscribe'],
  };
}
