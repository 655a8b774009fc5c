import { createHmac } from 'node:crypto';

const encode = (part) => Buffer.from(JSON.stringify(part)).toString('base64url');

// token signs a token for the member who is signed in at the site, with the secret that the site shares with Agora. This
// site has one member: read yours from its session.
export async function token() {
  const now = Math.floor(Date.now() / 1000);
  const text = encode({ alg: 'HS256', typ: 'JWT' }) + '.' + encode({
    iss: 'https://www.example.org', aud: 'forum', sub: '1017', iat: now, exp: now + 300, preferred_username: 'lina',
  });
  return text + '.' + createHmac('sha256', process.env.SECRET).update(text).digest('base64url');
}
