import { authorizedFetch } from 'agora-client/fetch';

// askFor sends a request on behalf of a visitor, whose address counts for the rates. If the visitor's session has
// ended, it calls `ended`, which should delete the cookie with the token, and asks again without. The answer to a visitor
// whose account may not be used has `data`, as if signed out, and errors, of which `barredBy` finds the reason.
export async function askFor({ url, address, token, ended }, query, variables) {
  const response = await authorizedFetch({ token: () => token, ended })(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ query, variables }),
  });
  return response.json();
}
