import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { apolloCache } from 'agora-client/apollo';
import { authorizedFetch } from 'agora-client/fetch';

// live is the result of socketClient or streamClient: subscriptions use it, everything else uses HTTP.
export function apolloClient({ url, token, live }) {
  return new ApolloClient({
    cache: new InMemoryCache(apolloCache),
    link: ApolloLink.split(
      ({ operationType }) => operationType === 'subscription',
      new GraphQLWsLink(live),
      new HttpLink({ uri: url, fetch: authorizedFetch({ token }) }),
    ),
  });
}
