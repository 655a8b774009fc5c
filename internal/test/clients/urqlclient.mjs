import { cacheExchange, Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { authorizedFetch } from 'agora-client/fetch';

// live is the result of socketClient or streamClient: subscriptions use it, everything else uses HTTP.
export function urqlClient({ url, token, live }) {
  return new Client({
    url,
    preferGetMethod: false,
    fetch: authorizedFetch({ token }),
    exchanges: [
      cacheExchange,
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: (request) => ({
          subscribe: (sink) => ({ unsubscribe: live.subscribe(request, sink) }),
        }),
      }),
    ],
  });
}
