// Tests clients/typescript where the application does not use it: Apollo Client's cache, the helper for errors,
// and what urql's cache keeps when fields fail.
import { ApolloClient, ApolloLink, gql, InMemoryCache } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { createServer } from 'vite';

const vite = await createServer({
  configFile: false, appType: 'custom', logLevel: 'error', ssr: { noExternal: ['agora-client'] },
  resolve: { preserveSymlinks: true }, server: { middlewareMode: true, ws: false },
});
const load = (name) => vite.ssrLoadModule(`/node_modules/agora-client/src/${name}.ts`);

function equal(name, got, want) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(want)];
  console.log(a === b ? `ok ${name}` : `failed ${name}: ${a}; want ${b}`);
}

try {
  const { apolloCache } = await load('apollo');
  const client = new ApolloClient({ cache: new InMemoryCache(apolloCache), link: ApolloLink.empty() });
  const query = gql`query($after: String) {
    node(id: "timeline") {
      id
      ... on Timeline {
        topics(first: 2, after: $after) { edges { cursor node { id title } } pageInfo { endCursor hasNextPage } }
      }
    }
  }`;
  const page = (titles, hasNextPage) => ({
    node: {
      __typename: 'Timeline', id: 'timeline',
      topics: {
        __typename: 'TopicConnection',
        edges: titles.map((title) => (
          { __typename: 'TopicEdge', cursor: title, node: { __typename: 'Topic', id: `topic ${title}`, title } }
        )),
        pageInfo: { __typename: 'PageInfo', endCursor: titles.at(-1), hasNextPage },
      },
    },
  });
  client.writeQuery({ query, data: page(['a', 'b'], true) });
  client.writeQuery({ query, variables: { after: 'b' }, data: page(['c'], false) });
  const { topics } = client.readQuery({ query }).node;
  equal('pages grow', topics.edges.map((edge) => edge.node.title), ['a', 'b', 'c']);
  equal('the last page says that it is', topics.pageInfo.hasNextPage, false);

  const votes = (fields) => gql`query { topic(by: {number: 1}) { id votes { ${fields} } } }`;
  const topic = (values) => ({
    topic: { __typename: 'Topic', id: 'topic 1', votes: { __typename: 'VoteSummary', ...values } },
  });
  client.writeQuery({ query: votes('up'), data: topic({ up: 3 }) });
  client.writeQuery({ query: votes('down'), data: topic({ down: 1 }) });
  equal('votes are merged', client.readQuery({ query: votes('up down') }).topic.votes, {
    __typename: 'VoteSummary', up: 3, down: 1,
  });

  const { barredBy, codeOf, faults } = await load('errors');
  const errors = [
    { message: 'Too short.', code: 'TOO_SHORT', path: ['input', 'title'] },
    { message: 'Bad, too.', code: 'INVALID', path: ['input', 'title'] },
    { message: 'Wait.', code: 'RATE_LIMITED', path: [] },
    { message: 'No such category.', code: 'NOT_FOUND', path: ['input', 'category'] },
  ];
  equal('errors belong to their fields', faults(errors, ['title']), { fields: { title: 'Too short.' }, form: 'Wait.' });
  equal('codes of errors', [
    codeOf({ graphQLErrors: [{ message: '', extensions: { code: 'UNAUTHENTICATED' } }] }),
    codeOf([{ message: '', extensions: { code: 'NOT_FOUND' } }]),
    codeOf({ graphQLErrors: [] }) ?? null,
    codeOf(null) ?? null,
  ], ['UNAUTHENTICATED', 'NOT_FOUND', null, null]);
  const ban = { code: 'BANNED', scope: 'SIGN_IN', reason: 'SPAM', until: null };
  equal('why an account may not be used', [
    barredBy({ graphQLErrors: [{ message: '', extensions: { code: 'NOT_FOUND' } }, { message: '', extensions: ban }] }),
    barredBy([{ message: '', extensions: { code: 'DEACTIVATED' } }]),
    barredBy([{ message: '' }]) ?? null,
  ], [ban, { code: 'DEACTIVATED' }, null]);

  const { graphcache, keepFailed } = await load('graphcache');
  let answer;
  const urql = new Client({
    url: 'http://localhost/', preferGetMethod: false, exchanges: [cacheExchange(graphcache), keepFailed, fetchExchange],
    fetch: async () => new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } }),
  });
  const front = `query($after: String) {
    site { name } front { id topics(after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }
  }`;
  const read = async (after, requestPolicy) => {
    const { data, error } = await urql.query(front, { after }, { requestPolicy }).toPromise();
    return [data.front && data.front.topics.nodes.map(({ id }) => id), data.site.name, error?.graphQLErrors[0].path];
  };
  const site = { __typename: 'Site', name: 'Agora' };
  const pageInfo = { __typename: 'PageInfo', hasNextPage: true, endCursor: 'a' };
  const list = { __typename: 'TopicConnection', nodes: [{ __typename: 'Topic', id: 'a' }], pageInfo };
  const whole = { data: { site, front: { __typename: 'Timeline', id: 'timeline', topics: list } } };
  const away = { message: 'Try again.', path: ['front', 'topics'], extensions: { code: 'UNAVAILABLE' } };
  const failed = { data: { site, front: null }, errors: [away] };
  answer = failed;
  equal('a list that is away is null', await read(undefined, 'network-only'), [null, 'Agora', ['front']]);
  answer = whole;
  equal('it is read again', await read(undefined, 'cache-first'), [['a'], 'Agora', undefined]);
  answer = failed;
  equal('its next page fails', await read('a', 'network-only'), [null, 'Agora', ['front']]);
  equal('the first one is kept', await read(undefined, 'cache-only'), [['a'], 'Agora', undefined]);
  equal('also when that fails', await read(undefined, 'network-only'), [['a'], 'Agora', ['front']]);
} finally {
  await vite.close();
}
