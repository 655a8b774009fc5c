import { cacheExchange } from '@urql/exchange-graphcache';
import { graphcache, keepFailed } from 'agora-client/graphcache';
import { socketClient } from 'agora-client/socket';
import { createRoot } from 'react-dom/client';
import { Client, fetchExchange, Provider, subscriptionExchange, useQuery, useSubscription } from 'urql';
import { graphql } from './gql';

const url = 'http://localhost:8080/graphql';
const socket = socketClient({ url, token: () => null });
const client = new Client({
  url,
  preferGetMethod: false,
  exchanges: [
    cacheExchange(graphcache),
    keepFailed,
    fetchExchange,
    subscriptionExchange({
      forwardSubscription: ({ query, variables }) => ({
        subscribe: (sink) => ({ unsubscribe: socket.subscribe({ query: query!, variables }, sink as never) }),
      }),
    }),
  ],
});

const Front = graphql(`
  query Front { front { id eventId topics(first: 20) { nodes { ...Row } } } }
  fragment Row on Topic { id number title commentCount author { id login } }
`);
const Changes = graphql(`
  subscription Changes($id: ID!, $after: String) {
    timelineUpdated(timelineId: $id, after: $after) { eventId kind topicId edge { cursor node { ...Row } } }
  }
`);

function List() {
  const [{ data, error }] = useQuery({ query: Front });
  const { id = '', eventId, topics } = data?.front ?? {};
  // The topics that have come to the head since the list was read, newest first.
  const [{ data: moved = [] }] = useSubscription({ query: Changes, variables: { id, after: eventId }, pause: !id },
    (before: NonNullable<typeof topics>['nodes'] = [], { timelineUpdated: { topicId, edge } }) =>
      [...(edge ? [edge.node] : []), ...before.filter((row) => row.id !== topicId)]);
  if (error) return <p role="alert">{error.message}</p>;
  const rows = [...moved, ...(topics?.nodes ?? []).filter((row) => !moved.some(({ id }) => id === row.id))];
  return (
    <ol>
      {rows.map(({ id, title, author, commentCount }) => (
        <li key={id}><b dir="auto">{title}</b> by {author.login}, {commentCount} comments</li>
      ))}
    </ol>
  );
}

createRoot(document.getElementById('root')!).render(<Provider value={client}><List /></Provider>);
