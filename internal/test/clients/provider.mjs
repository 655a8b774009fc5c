// A certified OpenID Connect provider, and a site whose members sign in there and come to Agora, whose address is the
// parameter `agora` of the site's page. It prints the addresses of the provider and of the site.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const listen = (server) => new Promise((done) => {
  server.listen(0, 'localhost', () => done(`http://localhost:${server.address().port}`));
});

const login = createServer();
const issuer = await listen(login);
const pages = createServer();
const site = await listen(pages);

const provider = new Provider(issuer, {
  clients: [{
    client_id: 'forum', token_endpoint_auth_method: 'none', application_type: 'native', response_types: ['code'],
    grant_types: ['authorization_code'], redirect_uris: [`${site}/`],
  }],
  claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'forum_role'] },
  conformIdTokenClaims: false, // the ID token has the claims
  clientBasedCORS: () => true,
  findAccount: (_ctx, sub) => ({
    accountId: sub,
    claims: () => ({ sub, preferred_username: `${sub}-of-the-site`, name: 'Mara Lind', forum_role: 'moderator' }),
  }),
});
login.on('request', provider.callback());

// What runs in the browser: signs in with PKCE, and exchanges the token for a cookie of Agora.
async function signIn() {
  const base64 = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const { code, agora } = Object.fromEntries(new URLSearchParams(location.search));
  const own = `${location.origin}/`;
  if (!code) {
    const verifier = base64(crypto.getRandomValues(new Uint8Array(32)));
    sessionStorage.setItem('verifier', verifier);
    sessionStorage.setItem('agora', agora);
    const challenge = base64(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)));
    location.href = `${issuer}/auth?${new URLSearchParams({
      client_id: 'forum', response_type: 'code', scope: 'openid profile', redirect_uri: own, code_challenge: challenge,
      code_challenge_method: 'S256',
    })}`;
    return;
  }
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code', client_id: 'forum', code, redirect_uri: own,
      code_verifier: sessionStorage.getItem('verifier'),
    }),
  });
  const { id_token: token } = await answer.json();
  const forum = sessionStorage.getItem('agora');
  await fetch(`${forum}/graphql`, {
    method: 'POST',
    credentials: 'include',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'mutation { startSession(input: {cookie: true}) { viewer { user { login } } errors { message } } }',
    }),
  });
  location.href = forum;
}

pages.on('request', (_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(`<!doctype html><title>The site</title><script type="module">
    const issuer = ${JSON.stringify(issuer)};
    (${signIn})();
  </script>`);
});
console.log(JSON.stringify({ issuer, site }));
