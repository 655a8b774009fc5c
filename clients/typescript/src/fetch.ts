import { asking, type Token } from './live.ts';

/** Options of `authorizedFetch`. */
export interface FetchOptions {
  token: Token;
  /** Called when the server does not accept the token, and there is no other, before it is asked without one. */
  ended?: () => void;
  /** What sends the requests; the global `fetch` if left out. */
  fetch?: typeof globalThis.fetch;
}

/**
 * Returns a `fetch` that sends the token, for the API only. If the server does not accept it, the request is sent again:
 * with another token if `token` answers one now, otherwise without, so that what everybody may read is shown.
 */
export function authorizedFetch({ token, ended, fetch = globalThis.fetch }: FetchOptions): typeof globalThis.fetch {
  const ask = asking(token);
  return async (input, init) => {
    const send = (secret: string | null) => {
      const request = input instanceof Request ? input.clone() : input;
      const headers = new Headers(init?.headers ?? (request instanceof Request ? request.headers : undefined));
      if (secret) headers.set('authorization', `Bearer ${secret}`);
      return fetch(request, { ...init, headers });
    };
    const first = await ask();
    let answer = await send(first);
    if (!first || answer.status !== 401) return answer;
    const second = await ask(first);
    if (second && second !== first) answer = await send(second);
    if (answer.status !== 401) return answer;
    ended?.();
    return send(null);
  };
}
