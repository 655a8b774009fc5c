import { cookies, headers } from 'next/headers';

// ask asks Agora for the visitor whose page is rendered: with the visitor's session, and from the visitor's address.
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
  if (errors) throw new Error(errors[0].message);
  return data;
}
