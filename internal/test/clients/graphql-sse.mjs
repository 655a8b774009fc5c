// graphql-sse against a site, in distinct connections mode: each operation is a request.
import assert from 'node:assert/strict';
import { SignedOutError } from 'agora-client/errors';
import { streamClient } from 'agora-client/streams';
import { createClient } from 'graphql-sse';
import { comments, finish, front, none, one, onTimeline, onTopic, order, Sink, soon, test, url, viewer, vote, wrong } from './site.mjs';

// connect is streamClient with short delays. It records messages.
function connect(token, options) {
  const messages = [];
  const client = streamClient({ url, token: () => token, retry: soon, on: { message: (message) => messages.push(message) }, ...options });
  return { ...client, messages };
}

test('queries, mutations and subscriptions', async () => {
  const { Login, Token } = await order('user');
  const topic = await order('topic');
  const client = connect(Token);
  assert.deepEqual(await one(client, { query: viewer }), { data: { viewer: { user: { login: Login } } } });
  const timeline = (await one(client, { query: front })).data.front.id;
  const replies = await comments(client.subscribe, topic);
  const [states, places] = [new Sink(), new Sink()];
  const stops = [
    client.subscribe({ query: onTopic, variables: { topic } }, states.sink),
    client.subscribe({ query: onTimeline, variables: { timeline } }, places.sink),
  ];
  await order('await', { sockets: 0, streams: 3, subscriptions: 3 });
  assert.deepEqual((await one(client, { query: vote, variables: { topic } })).data.vote, { changed: true, errors: [] });
  await states.until(() => states.results.at(-1)?.data.topicUpdated.topic.votes.up === 1);
  const made = await order('topic');
  await places.until(() => places.results.length > 0);
  const { kind, edge } = places.results[0].data.timelineUpdated;
  assert.deepEqual([kind, edge.node], ['ADDED', { id: made, title: 'Live' }]);
  stops[0]();
  await order('await', { sockets: 0, streams: 2, subscriptions: 2 });
  await finish(replies, topic);
  stops[1]();
  await none();
});

test('a bad token costs one request', async () => {
  const headers = { authorization: 'Bearer agora_1_bad' };
  for (const query of [viewer, 'subscription { notificationAdded { eventId } }']) {
    for (const client of [connect('agora_1_bad'), createClient({ url, headers })]) { // also as graphql-sse is by default
      const before = await order('requests');
      const got = new Sink();
      client.subscribe({ query }, got.sink);
      const [end] = await got.end();
      const { errors, ...rest } = end === 'error' ? { errors: got.error.cause } : got.results[0];
      assert.deepEqual([errors.map(({ extensions }) => extensions.code), rest], [['UNAUTHENTICATED'], {}]);
      assert.equal((await order('requests')) - before, 1);
    }
  }
});

test('what cannot be executed ends with one result of errors', async () => {
  for (const [request, code] of wrong.filter(([, code]) => code !== 'UNAUTHENTICATED')) {
    const before = await order('requests');
    const client = connect();
    const got = new Sink();
    client.subscribe(request, got.sink);
    assert.deepEqual(await got.end(), ['complete']);
    assert.equal(got.results.length, 1);
    assert.equal(got.results[0].errors[0].extensions.code, code);
    assert.ok(!('data' in got.results[0]));
    assert.deepEqual(client.messages.map(({ event }) => event), ['next', 'complete']);
    assert.equal((await order('requests')) - before, 1);
  }
});

test('an error of a field is part of a result', async () => {
  const result = await one(connect(), { query: 'mutation { vote(input: {subjectId: "x", direction: UP}) { changed } }' });
  assert.equal(result.errors[0].extensions.code, 'UNAUTHENTICATED');
});

test('nothing is lost when connections are cut', async () => {
  const { Token } = await order('user');
  const topic = await order('topic');
  const replies = await comments(connect(Token).subscribe, topic);
  replies.want.push(...(await order('storm', { topic, n: 10 })));
  await finish(replies, topic);
  await none();
});

test('a restart loses nothing', async () => {
  const topic = await order('topic');
  const replies = await comments(connect().subscribe, topic);
  for (let i = 0; i < 2; i++) {
    replies.want.push(...(await order('reply', { topic, n: 3 })));
    await order('restart');
    replies.want.push(...(await order('reply', { topic, n: 3 })));
  }
  await finish(replies, topic);
  await none();
});

test('a revoked session ends the stream for good', async () => {
  const { Token } = await order('user');
  const topic = await order('topic');
  const replies = await comments(connect(Token).subscribe, topic);
  const before = await order('requests');
  await order('revoke', { token: Token });
  assert.deepEqual(await replies.end(), ['error']);
  assert.ok(replies.error instanceof SignedOutError);
  await none();
  assert.equal(await order('requests'), before);
});
