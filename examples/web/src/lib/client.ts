import { cacheExchange } from '@urql/exchange-graphcache';
import { codeOf } from 'agora-client/errors';
import { graphcache, keepFailed } from 'agora-client/graphcache';
import { socketClient } from 'agora-client/socket';
import {
  Client, fetchExchange, mapExchange, subscriptionExchange, useClient, useMutation, useQuery, useSubscription,
  type AnyVariables, type RequestPolicy,
} from 'urql';
import type { TypedDocumentString } from '../gql/graphql.ts';
import { store, stored } from './store.ts';
import { asked, record, tracedFetch } from './trace.ts';

/** The id of the signed-in user; empty when signed out. The token is in a cookie that scripts cannot read. */
export const session = stored('agora:user');

/** Whether live updates arrive: `lost` while a connection that was there is being restored. */
export const live = store<'idle' | 'open' | 'lost'>('idle');

/** Counts the times that the connection came back, after which states are read again. */
export const returns = store(0);

/** Makes a client for one session, that of a user. Its cache holds what that viewer may see, and ends with it. */
export function makeClient(user: string): { client: Client; close: () => void } {
  const url = new URL('/graphql', location.href).href;
  const socket = socketClient({
    url,
    token: () => null,
    on: {
      connected: (_socket, _payload, again) => {
        live.set('open');
        if (again) returns.set(returns.value + 1);
      },
      closed: (event) => live.set((event as CloseEvent).code === 1000 ? 'idle' : 'lost'),
      message: (message) => {
        if (message.type === 'next' && !message.payload.errors) {
          const request = running.get(message.id);
          const bytes = JSON.stringify(message).length;
          if (request) record(request.query, request.variables, message.payload, { how: 'event', bytes });
        }
      },
    },
    generateID: (request) => {
      const id = String(++lastId);
      running.set(id, { query: request.query, variables: request.variables });
      return id;
    },
  });
  const client = new Client({
    url,
    preferGetMethod: false,
    fetch: tracedFetch,
    fetchOptions: () => ({ headers: asked() }),
    exchanges: [
      mapExchange({
        onError: (error) => {
          const code = codeOf(error);
          // The session has ended elsewhere: continue without it.
          if (code === 'UNAUTHENTICATED' && session.value === user) session.set('');
        },
      }),
      cacheExchange(graphcache),
      keepFailed,
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: socket.subscribe({ query, variables }, sink as Parameters<typeof socket.subscribe>[1]),
          }),
        }),
      }),
    ],
  });
  return { client, close: () => void socket.dispose() };
}

let lastId = 0;
const running = new Map<string, { query: string; variables: unknown }>();

type Document<Data, Variables> = TypedDocumentString<Data, Variables>;
const text = (document: { toString(): string }) => document.toString();

/** Reads a typed query, and follows it in the cache. */
export function useData<Data, Variables extends AnyVariables>(
  document: Document<Data, Variables>, variables: Variables,
  options: { pause?: boolean; requestPolicy?: RequestPolicy } = {},
) {
  const [{ data, error, fetching, stale }, again] = useQuery<Data, AnyVariables>({
    query: text(document), variables: variables as AnyVariables, ...options,
  });
  return { data, error, fetching, stale, refresh: () => again({ requestPolicy: 'network-only' }) };
}

/** Returns a function that runs any typed query once. */
export function useAsk() {
  const client = useClient();
  return async <Data, Variables extends AnyVariables>(
    document: Document<Data, Variables>, variables: Variables, requestPolicy: RequestPolicy = 'network-only',
  ) => (await client.query<Data>(text(document), variables as AnyVariables, { requestPolicy }).toPromise()).data;
}

/** Returns a function that runs a typed mutation, with a token if it gets one; it throws what is not in the payload. */
export function useChange<Data, Variables extends AnyVariables>(document: Document<Data, Variables>) {
  const [, run] = useMutation<Data, AnyVariables>(text(document));
  return async (variables: Variables, token = ''): Promise<Data> => {
    const headers = token ? { ...asked(), authorization: `Bearer ${token}` } : asked();
    const { data, error } = await run(variables as AnyVariables, { fetchOptions: { headers } });
    if (data) return data;
    if (error?.networkError) throw new Error('The server cannot be reached. Try again.');
    throw new Error(error?.graphQLErrors[0]?.message ?? 'Something went wrong.');
  };
}

/** Follows a typed subscription while the component is shown. */
export function useLive<Data, Variables extends AnyVariables>(
  document: Document<Data, Variables>, variables: Variables, pause: boolean, take?: (data: Data) => void,
) {
  useSubscription<Data, null, AnyVariables>(
    { query: text(document), variables: variables as AnyVariables, pause },
    (_before, data) => {
      take?.(data);
      return null;
    },
  );
}
