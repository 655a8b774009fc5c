import { createClient } from 'graphql-ws';
import { pause, resuming } from './resume.mjs';

export function socketClient({ url, token, patience = 5000, on, ...options }) {
  let late;
  const client = createClient({
    url: url.replace(/^http/, 'ws'),
    // Called for each connection, so that a new token is used from the next one on.
    connectionParams: () => (token() ? { authorization: `Bearer ${token()}` } : {}),
    // Also when the server cannot be reached. 4400, 4401, 4406, 4409 and 4429 still end it.
    shouldRetry: () => true,
    retryAttempts: Infinity,
    retryWait: (attempts) => pause(attempts),
    // A server that does not answer is no longer reachable.
    keepAlive: 10_000,
    on: {
      ...on,
      ping: (received) => {
        if (!received) late = setTimeout(() => client.terminate(), patience);
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
