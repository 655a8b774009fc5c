// Apollo's cache and urql's Graphcache against a site: what payloads return keeps cached pages complete.
import assert from 'node:assert/strict';
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { order, test, url } from './site.mjs';

const page = `query Page($id: ID!) {
  topic(by: { id: $id }) {
    id commentCount
    comments(first: 10, topLevelOnly: true) {
      edges { cursor node { id content author { id login } } } pageInfo { hasNextPage endCursor }
    }
  }
}`;
const create = `mutation Create($topic: ID!, $content: String!) {
  createComment(input: { topicId: $topic, content: $content }) {
    comment { id topic { id commentCount } }
    commentEdge { cursor node { id content author { id login } } }
    errors { code }
  }
}`;
const remove = `mutation Remove($comment: ID!) {
  deleteComment(input: { commentId: $comment }) { deletedCommentId comment { id topic { id commentCount } } errors { code } }
}`;

// follows posts and deletes a comment through a client and compares the cached page with what the server has.
async function follows({ read, cached, write }) {
  const { Token } = await order('user');
  const id = await order('topic');
  await order('reply', { topic: id, n: 2 });
  const client = { read: read(Token), cached: cached(Token), write: write(Token) };
  const fresh = async () => (await read(Token, true)(page, { id })).topic;
  await client.read(page, { id });
  await client.write(create, { topic: id, content: 'Mine' });
  const after = (await client.cached(page, { id })).topic;
  assert.equal(after.comments.edges.length, 3);
  assert.deepEqual(after.comments.edges, (await fresh()).comments.edges);
  assert.equal(after.commentCount, 3);
  await client.write(remove, { comment: after.comments.edges[2].node.id });
  const left = (await client.cached(page, { id })).topic;
  assert.deepEqual(left.comments.edges, after.comments.edges.slice(0, 2));
  assert.equal(left.commentCount, 2);
}

const apollo = new Map();

function apolloOf(token, own) {
  const client = apollo.get(token);
  if (client && !own) return client;
  const auth = new ApolloLink((operation, forward) => {
    operation.setContext({ headers: { authorization: `Bearer ${token}` } });
    return forward(operation);
  });
  const cache = new InMemoryCache({ typePolicies: { Topic: { fields: { comments: relayStylePagination(['topLevelOnly']) } } } });
  const made = new ApolloClient({ link: ApolloLink.from([auth, new HttpLink({ uri: url })]), cache });
  if (!own) apollo.set(token, made);
  return made;
}

// plain drops what the cache adds.
const plain = (data) => JSON.parse(JSON.stringify(data, (key, value) => (key === '__typename' ? undefined : value)));

function updated(cache, { data: { createComment, deleteComment } }) {
  const { topic } = (createComment ?? deleteComment).comment;
  cache.modify({
    id: cache.identify({ __typename: 'Topic', id: topic.id }),
    fields: {
      comments: (list, { readField }) => ({
        ...list,
        edges: createComment
          ? [...list.edges, createComment.commentEdge]
          : list.edges.filter(({ node }) => readField('id', node) !== deleteComment.deletedCommentId),
      }),
    },
  });
}

test("Apollo's modify adds the edge and removes the deleted comment", () => follows({
  read: (token, own) => async (query, variables) => plain((await apolloOf(token, own).query({ query: gql(query), variables })).data),
  cached: (token) => async (query, variables) =>
    plain((await apolloOf(token).query({ query: gql(query), variables, fetchPolicy: 'cache-only' })).data),
  write: (token) => (mutation, variables) =>
    apolloOf(token).mutate({ mutation: gql(mutation), variables, update: (cache, result) => updated(cache, result) }),
}));

const urql = new Map();
const flat = () => null;

// comments calls change for each cached page of a topic's comments.
function comments(cache, topic, change) {
  const parent = { __typename: 'Topic', id: topic };
  for (const { fieldName, fieldKey } of cache.inspectFields(parent).filter(({ fieldName }) => fieldName === 'comments')) {
    const list = cache.resolve(parent, fieldKey);
    assert.ok(list, fieldName);
    cache.link(list, 'edges', change(cache.resolve(list, 'edges')));
  }
}

function urqlOf(token, own) {
  const client = urql.get(token);
  if (client && !own) return client;
  const cache = cacheExchange({
    keys: { CommentConnection: flat, CommentEdge: ({ cursor }) => cursor, PageInfo: flat },
    resolvers: { Topic: { comments: relayPagination() } },
    updates: {
      Mutation: {
        createComment: ({ createComment: { comment, commentEdge } }, _args, cache) =>
          comments(cache, comment.topic.id, (edges) => [...edges, cache.keyOfEntity(commentEdge)]),
        deleteComment: ({ deleteComment: { deletedCommentId, comment } }, _args, cache) => comments(cache, comment.topic.id,
          (edges) => edges.filter((edge) => cache.resolve(cache.resolve(edge, 'node'), 'id') !== deletedCommentId)),
      },
    },
  });
  const made = new Client({
    url, exchanges: [cache, fetchExchange], preferGetMethod: false,
    fetchOptions: { headers: { authorization: `Bearer ${token}` } },
  });
  if (!own) urql.set(token, made);
  return made;
}

const taken = async (result) => {
  const { data, error } = await result;
  assert.equal(error, undefined);
  return plain(data);
};

test('Graphcache adds the edge and removes the deleted comment', () => follows({
  read: (token, own) => (query, variables) => taken(urqlOf(token, own).query(query, variables).toPromise()),
  cached: (token) => (query, variables) => taken(urqlOf(token).query(query, variables, { requestPolicy: 'cache-only' }).toPromise()),
  write: (token) => (mutation, variables) => taken(urqlOf(token).mutation(mutation, variables).toPromise()),
}));
