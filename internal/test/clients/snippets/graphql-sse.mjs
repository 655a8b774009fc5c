import { createClient } from 'graphql-sse';
import { pause, resuming } from './resume.mjs';

export function streamClient({ url, token, unit, ...options }) {
  const client = createClient({
    url,
    singleConnection: false,
    headers: () => (token() ? { authorization: `Bearer ${token()}` } : {}),
    retryAttempts: Infinity,
    retry: (attempts) => pause(attempts, unit),
    ...options,
  });
  return resuming(client);
}
