// Relay against a site: what payloads return keeps its connections complete, without anything made up.
import assert from 'node:assert/strict';
import relay from 'relay-runtime';
import createComment from './relay/__generated__/documentsCreateCommentMutation.graphql.js';
import createTopic from './relay/__generated__/documentsCreateTopicMutation.graphql.js';
import deleteComment from './relay/__generated__/documentsDeleteCommentMutation.graphql.js';
import deleteTopic from './relay/__generated__/documentsDeleteTopicMutation.graphql.js';
import frontQuery from './relay/__generated__/documentsFrontQuery.graphql.js';
import topicQuery from './relay/__generated__/documentsTopicQuery.graphql.js';
import { order, test, url } from './site.mjs';

const { commitMutation, ConnectionHandler, createOperationDescriptor, Environment, fetchQuery, Network, RecordSource, Store } = relay;

// ask sends one request.
async function ask(token, query, variables) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  return answer.json();
}

function connect(token) {
  const environment = new Environment({
    network: Network.create(({ text }, variables) => ask(token, text, variables)),
    store: new Store(new RecordSource()),
    getDataID: ({ id }) => id, // ids are unique over all types
  });
  return {
    environment,
    read: (query, variables) => fetchQuery(environment, query, variables).toPromise(),
    commit: (mutation, variables) => new Promise((onCompleted, onError) => {
      commitMutation(environment, { mutation, variables, onCompleted, onError });
    }),
    // shown returns what a component would show now; nothing of it may be missing.
    shown: (query, variables) => {
      const { data, isMissingData } = environment.lookup(createOperationDescriptor(query, variables).fragment);
      assert.equal(isMissingData, false);
      return data;
    },
  };
}

test('a new topic is prepended to a cached page, and a deleted one leaves it', async () => {
  const { Token, Login } = await order('user');
  await order('topic');
  const client = connect(Token);
  const { front } = await client.read(frontQuery, { first: 5 });
  const connections = [ConnectionHandler.getConnectionID(front.id, 'front_topics')];
  const input = { title: 'Mine', category: { name: 'Live' } };
  await client.commit(createTopic, { input, timeline: front.id, connections });
  const cached = client.shown(frontQuery, { first: 5 }).front.topics.edges;
  assert.deepEqual([cached[0].node.title, cached[0].node.author.login], ['Mine', Login]);
  const fresh = (await connect(Token).read(frontQuery, { first: 5 })).front.topics.edges;
  assert.deepEqual(cached[0], fresh[0]); // cursor, rank and score included
  const { deleteTopic: gone } = await client.commit(deleteTopic, { input: { topicId: cached[0].node.id }, connections });
  assert.equal(gone.deletedTopicId, cached[0].node.id);
  const left = client.shown(frontQuery, { first: 5 }).front.topics.edges;
  assert.deepEqual(left.map(({ node }) => node.id), cached.slice(1).map(({ node }) => node.id));
});

test('a new comment is appended to a cached page, and a deleted one leaves it', async () => {
  const { Token } = await order('user');
  const id = await order('topic');
  await order('reply', { topic: id, n: 2 });
  const client = connect(Token);
  const page = { id, first: 10 };
  await client.read(topicQuery, page);
  const connections = [ConnectionHandler.getConnectionID(id, 'topic_comments', { topLevelOnly: true })];
  await client.commit(createComment, { input: { topicId: id, content: 'Mine' }, connections });
  const cached = client.shown(topicQuery, page).topic;
  const fresh = (await connect(Token).read(topicQuery, page)).topic;
  assert.deepEqual(cached.comments.edges, fresh.comments.edges);
  assert.equal(cached.commentCount, 3);
  const last = cached.comments.edges.at(-1);
  const next = `query($id: ID!, $after: String) { topic(by: { id: $id }) { comments(topLevelOnly: true, after: $after) { nodes { content } } } }`;
  const [reply] = await order('reply', { topic: id, n: 1 });
  const { data } = await ask(Token, next, { id, after: last.cursor });
  assert.deepEqual(data.topic.comments.nodes, [{ content: reply }]); // the cursor continues where the page ends
  await client.commit(deleteComment, { input: { commentId: last.node.id }, connections });
  const left = client.shown(topicQuery, page).topic;
  assert.deepEqual(left.comments.edges, fresh.comments.edges.slice(0, -1));
  assert.equal(left.commentCount, 3); // two of before, and the reply that came in between
});
