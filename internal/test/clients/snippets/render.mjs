// askFor sends a request on behalf of a visitor, whose address counts for the rates. If the visitor's session has
// ended, it calls `ended`, which should delete the cookie with the token, and asks again without. The answer to a visitor
// whose account may not be used has `data`, as if signed out, and errors, of which `barredBy` finds the reason.
export async function askFor({ url, address, token, ended }, query, variables) {
  const send = (authorization) => fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...authorization },
    body: JSON.stringify({ query, variables }),
  });
  let response = await send(token && { authorization: `Bearer ${token}` });
  if (token && response.status === 401) {
    ended();
    response = await send();
  }
  return response.json();
}

// barredBy returns why a visitor's account may not be used, or nothing: `code` is BANNED, with `until` (null for never) and
// `reason`, or DEACTIVATED.
export function barredBy({ errors = [] }) {
  return errors.map(({ extensions }) => extensions).find(({ code }) => code === 'BANNED' || code === 'DEACTIVATED');
}
