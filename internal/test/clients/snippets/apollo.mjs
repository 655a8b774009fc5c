import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';

// socket is the result of socketClient: subscriptions use it, everything else uses HTTP.
export function apolloClient({ url, token, socket }) {
  const authorize = new SetContextLink(({ headers }) => ({
    headers: token() ? { ...headers, authorization: `Bearer ${token()}` } : headers,
  }));
  return new ApolloClient({
    cache: new InMemoryCache(),
    link: ApolloLink.split(
      ({ operationType }) => operationType === 'subscription',
      new GraphQLWsLink(socket),
      authorize.concat(new HttpLink({ uri: url })),
    ),
  });
}
