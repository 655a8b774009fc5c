// Apollo Client against a site: subscriptions through graphql-ws, everything else over HTTP.
import assert from 'node:assert/strict';
import { gql } from '@apollo/client';
import { codeOf } from 'agora-client/errors';
import { socketClient } from 'agora-client/socket';
import WebSocket from 'ws';
import { comments, finish, front, none, onComments, onTimeline, onTopic, order, Sink, soon, test, url, viewer, vote, wrong } from './site.mjs';
import { apolloClient } from './snippets/apollo.mjs';
import { voteUp } from './optimistic.mjs';

// GraphQLWsLink looks at it, as browsers have it.
globalThis.WebSocket ??= WebSocket;

// connect is apolloClient with short delays, with the subscribe methods of graphql-ws. Apollo
// returns errors as results.
function connect(initial) {
  let current = initial;
  const token = () => current;
  const live = socketClient({ url, token, webSocketImpl: WebSocket, retryWait: soon });
  const client = apolloClient({ url, token, live });
  client.subscribed = ({ query, variables }, sink) => {
    const running = client.subscribe({ query: gql(query), variables }).subscribe({
      next: (result) => (result.error ? sink.error(result.error) : sink.next(result)),
    });
    return () => running.unsubscribe();
  };
  client.signIn = (as) => {
    current = as;
  };
  return client;
}

const codeIs = (code) => (err) => err.errors[0].extensions.code === code;

test('queries, mutations and subscriptions', async () => {
  const { Login, Token } = await order('user');
  const topic = await order('topic');
  const before = await order('requests');
  const client = connect(Token);
  const me = await client.query({ query: gql(viewer) });
  assert.equal(me.data.viewer.user.login, Login);
  const timeline = (await client.query({ query: gql(front) })).data.front.id;
  const replies = await comments(client.subscribed, topic);
  const [states, places] = [new Sink(), new Sink()];
  const stops = [
    client.subscribed({ query: onTopic, variables: { topic } }, states.sink),
    client.subscribed({ query: onTimeline, variables: { timeline } }, places.sink),
  ];
  await order('await', { sockets: 1, streams: 0, subscriptions: 3 });
  const voted = await client.mutate({ mutation: gql(vote), variables: { topic } });
  assert.equal(voted.data.vote.changed, true);
  await states.until(() => states.results.at(-1)?.data.topicUpdated.topic.votes.up === 1);
  const made = await order('topic');
  await places.until(() => places.results.length > 0);
  assert.equal(places.results[0].data.timelineUpdated.edge.node.id, made);
  stops[0]();
  await order('await', { sockets: 1, streams: 0, subscriptions: 2 });
  await finish(replies, topic);
  stops[1]();
  await none();
  assert.equal((await order('requests')) - before, 4); // two queries, one mutation, one socket
});

test('a bad token costs one connection, a good one works then', async () => {
  const { Login, Token } = await order('user');
  const topic = await order('topic');
  const client = connect('agora_1_bad');
  const before = await order('requests');
  const got = new Sink();
  client.subscribed({ query: onTopic, variables: { topic } }, got.sink);
  assert.deepEqual(await got.end(), ['error']);
  assert.equal(codeOf(got.error), 'UNAUTHENTICATED');
  assert.equal((await client.query({ query: gql(viewer) })).data.viewer, null);
  assert.equal((await order('requests')) - before, 3); // the query is asked again without the token
  client.signIn(Token);
  await client.clearStore();
  assert.equal((await client.query({ query: gql(viewer) })).data.viewer.user.login, Login);
  await finish(await comments(client.subscribed, topic), topic);
  await none();
});

test('what cannot be executed ends with one error', async () => {
  const client = connect();
  for (const [request, code] of wrong.filter(([, code]) => code !== 'GRAPHQL_PARSE_FAILED')) { // which gql refuses
    const got = new Sink();
    client.subscribed(request, got.sink);
    assert.deepEqual(await got.end(), ['error']);
    assert.equal(codeOf(got.error), code);
    assert.deepEqual(got.results, []);
    await none();
    assert.deepEqual(got.ended, ['error']);
  }
  await assert.rejects(client.query({ query: gql('{ nothing }') }), codeIs('GRAPHQL_VALIDATION_FAILED'));
});

test('a vote is shown before the answer, and not after a refusal', async () => {
  const { Token } = await order('user');
  const topic = await order('topic');
  const read = { query: gql`query($id: ID!) { topic(by: { id: $id }) { id votes { subjectId up net viewerVote } } }`, variables: { id: topic } };
  for (const [token, after] of [[Token, [1, 1, 'UP']], [undefined, [1, 1, 'NONE']]]) {
    const client = connect(token);
    const shown = new Sink();
    const watched = client.watchQuery(read).subscribe({
      next: ({ data }) => data?.topic && shown.sink.next([data.topic.votes.up, data.topic.votes.net, data.topic.votes.viewerVote]),
    });
    await shown.until(() => shown.results.length === 1);
    const before = shown.results[0];
    const voted = voteUp(client, client.readQuery(read).topic).catch((err) => err);
    await shown.until(() => shown.results.length === 2);
    assert.deepEqual(shown.results[1], [before[0] + 1, before[1] + 1, 'UP']);
    await voted;
    await shown.until(() => assert.deepEqual(shown.results.at(-1), after) === undefined);
    watched.unsubscribe();
  }
});

test('nothing is lost when connections are cut', async () => {
  const { Token } = await order('user');
  const topic = await order('topic');
  const replies = await comments(connect(Token).subscribed, topic);
  replies.want.push(...(await order('storm', { topic, n: 10 })));
  await finish(replies, topic);
  await none();
});

test('a restart loses nothing', async () => {
  const topic = await order('topic');
  const replies = await comments(connect().subscribed, topic);
  replies.want.push(...(await order('reply', { topic, n: 3 })));
  await order('restart');
  replies.want.push(...(await order('reply', { topic, n: 3 })));
  await finish(replies, topic);
  await none();
});

test('a revoked session ends the subscription for good', async () => {
  const { Token } = await order('user');
  const topic = await order('topic');
  const replies = await comments(connect(Token).subscribed, topic);
  const before = await order('requests');
  await order('revoke', { token: Token });
  assert.deepEqual(await replies.end(), ['error']);
  assert.equal(codeOf(replies.error), 'UNAUTHENTICATED');
  await none();
  assert.equal(await order('requests'), before);
});
