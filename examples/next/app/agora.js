import { cookies, headers } from 'next/headers';

// ask asks Agora for the visitor whose page is rendered: with the visitor's session, and from the visitor's address. Whoever
// may not use the account gets what everybody may read; `barred` says why.
export async function ask(query, variables) {
  const session = (await cookies()).get('__Host-agora');
  const response = await fetch(`${process.env.AGORA}/graphql`, {
    method: 'POST',
    cache: 'no-store', // the answer is for one visitor
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': (await headers()).get('x-forwarded-for'),
      ...(session && { cookie: `__Host-agora=${session.value}` }),
    },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  const isBar = ({ extensions }) => ['BANNED', 'DEACTIVATED'].includes(extensions.code);
  const other = errors?.find((error) => !isBar(error));
  if (other) throw new Error(other.message);
  return { ...data, barred: errors?.[0].extensions };
}
