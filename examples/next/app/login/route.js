import { headers } from 'next/headers';
import { token } from '../token';

const START = 'mutation { startSession(input: {cookie: true}) { errors { message } } }';

// GET signs in at Agora whoever is signed in at the site. Agora's own pages, whose members come here with `return`, get the
// token behind that address, and no other address does: it would sign in there as the member.
export async function GET(request) {
  const jwt = await token();
  const back = request.nextUrl.searchParams.get('return');
  if (URL.canParse(back) && new URL(back).origin === process.env.FORUM) {
    return Response.redirect(`${back}#token=${jwt}`, 303);
  }
  const answer = await fetch(`${process.env.AGORA}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': (await headers()).get('x-forwarded-for'),
      authorization: `Bearer ${jwt}`,
    },
    body: JSON.stringify({ query: START }),
  });
  const cookie = answer.headers.get('set-cookie');
  if (!cookie) return new Response(await answer.text(), { status: 502 });
  return new Response(null, { status: 303, headers: { location: '/', 'set-cookie': cookie } });
}
