// graphql-ws against a site: all operations go through one socket.
import assert from 'node:assert/strict';
import { codeOf, SignedOutError } from 'agora-client/errors';
import { socketClient } from 'agora-client/socket';
import WebSocket from 'ws';
import { comments, finish, front, none, one, onComments, onNotifications, onTimeline, onTopic, order, Sink, soon, test, url, viewer, vote, wrong } from './site.mjs';

// connect is socketClient with short delays. It records messages and how sockets were closed.
function connect(token, options) {
  const closes = new Sink();
  const messages = [];
  const client = socketClient({
    url,
    token: typeof token === 'function' ? token : () => token,
    webSocketImpl: WebSocket,
    retryWait: soon,
    ...options,
    on: { ...options?.on, closed: ({ code }) => closes.sink.next(code), message: (message) => messages.push(message) },
  });
  const closed = async (n) => {
    await closes.until(() => closes.results.length >= n);
    return closes.results;
  };
  return { ...client, closed, messages };
}

test('queries, mutations and subscriptions share one socket', async () => {
  const { Login, Token } = await order('user');
  const [topic, other] = [await order('topic'), await order('topic')];
  const before = await order('requests');
  const client = connect(Token);
  const replies = await comments(client.subscribe, topic);
  assert.deepEqual(await one(client, { query: viewer }), { data: { viewer: { user: { login: Login } } } });
  const timeline = (await one(client, { query: front })).data.front.id;
  const [states, places, others] = [new Sink(), new Sink(), new Sink()];
  const stops = [
    client.subscribe({ query: onTopic, variables: { topic } }, states.sink),
    client.subscribe({ query: onTimeline, variables: { timeline } }, places.sink),
    client.subscribe({ query: onComments, variables: { topic: other } }, others.sink),
  ];
  // Operations sent later on the same socket begin later.
  assert.deepEqual((await one(client, { query: vote, variables: { topic } })).data.vote, { changed: true, errors: [] });
  await states.until(() => states.results.length > 0);
  assert.equal(states.results[0].data.topicUpdated.topic.votes.up, 1);
  const made = await order('topic');
  await places.until(() => places.results.length > 0);
  const { kind, edge } = places.results[0].data.timelineUpdated;
  assert.deepEqual([kind, edge.node], ['ADDED', { id: made, title: 'Live' }]);
  await order('await', { sockets: 1, streams: 0, subscriptions: 4 });
  stops[2]();
  await order('await', { sockets: 1, streams: 0, subscriptions: 3 });
  await order('reply', { topic: other, n: 1 });
  await finish(replies, topic);
  stops[0]();
  stops[1]();
  await none();
  assert.deepEqual(others.results, []);
  assert.equal((await order('requests')) - before, 1);
  assert.deepEqual(await client.closed(1), [1000]);
});

test('notifications come to whom the token names', async () => {
  const [somebody, other] = [await order('user'), await order('user')];
  const [client, follower] = [connect(somebody.Token), connect(other.Token)];
  const [mine, theirs] = [new Sink(), new Sink()];
  const stops = [client.subscribe({ query: onNotifications }, mine.sink), follower.subscribe({ query: onNotifications }, theirs.sink)];
  const me = (await one(client, { query: '{ viewer { user { id } } }' })).data.viewer.user.id;
  const query = 'mutation($id: ID!) { follow(input: { targetId: $id }) { changed } }';
  assert.deepEqual((await one(follower, { query, variables: { id: me } })).data, { follow: { changed: true } });
  await order('settle');
  await mine.until(() => mine.results.length > 0);
  const { kind, notification } = mine.results[0].data.notificationAdded;
  assert.deepEqual([kind, notification], ['ADDED', { reason: 'FOLLOW', actor: { login: other.Login } }]);
  stops.forEach((stop) => stop());
  await none();
  assert.deepEqual(theirs.results, []);
});

test('a bad token costs one connection', async () => {
  const before = await order('requests');
  const client = connect('agora_1_bad');
  const got = new Sink();
  client.subscribe({ query: viewer }, got.sink);
  assert.deepEqual(await got.end(), ['error']);
  assert.ok(got.error instanceof SignedOutError);
  assert.deepEqual([got.error.cause.code, got.error.cause.reason], [4401, 'Unauthorized']);
  await none();
  assert.equal((await order('requests')) - before, 1);
});

test('what cannot be executed ends with one error', async () => {
  const client = connect();
  const topic = await order('topic');
  const replies = await comments(client.subscribe, topic); // keeps the socket open
  for (const [request, code] of wrong) {
    const got = new Sink();
    client.messages.length = 0;
    client.subscribe(request, got.sink);
    assert.deepEqual(await got.end(), ['error']);
    assert.equal(codeOf(got.error), code);
    await one(client, { query: front }); // any other result has arrived by now
    const id = client.messages.find(({ type }) => type === 'error').id;
    assert.deepEqual(client.messages.filter((m) => m.id === id).map(({ type }) => type), ['error']);
    assert.deepEqual([got.ended, got.results], [['error'], []]);
  }
  await order('await', { sockets: 1, streams: 0, subscriptions: 1 });
  await finish(replies, topic);
  await none();
});

test('an error of a field is part of a result', async () => {
  const client = connect();
  const result = await one(client, { query: 'mutation { vote(input: {subjectId: "x", direction: UP}) { changed } }' });
  assert.equal(result.errors[0].extensions.code, 'UNAUTHENTICATED');
  await none();
});

test('nothing is lost when connections are cut', async () => {
  const { Token } = await order('user');
  const topic = await order('topic');
  const client = connect(Token);
  const replies = await comments(client.subscribe, topic);
  replies.want.push(...(await order('storm', { topic, n: 10 })));
  await finish(replies, topic);
  await none();
  assert.ok((await client.closed(10)).includes(1006));
});

test('a client without shouldRetry gives up when the server cannot be reached', async () => {
  const topic = await order('topic');
  const client = connect('', { shouldRetry: undefined });
  const replies = await comments(client.subscribe, topic);
  await order('down');
  assert.deepEqual(await replies.end(), ['error']);
  await order('up');
  await none();
});

test('a restart loses nothing', async () => {
  const topic = await order('topic');
  const client = connect();
  const replies = await comments(client.subscribe, topic);
  for (let i = 0; i < 2; i++) {
    replies.want.push(...(await order('reply', { topic, n: 3 })));
    await order('restart');
    replies.want.push(...(await order('reply', { topic, n: 3 })));
  }
  await finish(replies, topic);
  await none();
  assert.deepEqual(await client.closed(3), [1012, 1012, 1000]);
});

test('a change of role begins a new connection', async () => {
  const { Token } = await order('user');
  const topic = await order('topic');
  const client = connect(Token);
  const replies = await comments(client.subscribe, topic);
  await order('promote', { token: Token });
  replies.want.push(...(await order('reply', { topic, n: 3 })));
  await client.closed(1);
  await finish(replies, topic);
  assert.deepEqual(await client.closed(2), [1012, 1000]);
  await none();
});

test('terminate has the next connection use the new token', async () => {
  const { Login, Token } = await order('user');
  const topic = await order('topic');
  let token = '';
  const client = connect(() => token);
  const replies = await comments(client.subscribe, topic);
  assert.equal((await one(client, { query: viewer })).data.viewer, null);
  token = Token;
  client.terminate();
  assert.equal((await one(client, { query: viewer })).data.viewer.user.login, Login);
  await finish(replies, topic);
  assert.deepEqual(await client.closed(2), [4499, 1000]);
  await none();
});

test('a revoked session ends the socket for good', async () => {
  const { Token } = await order('user');
  const topic = await order('topic');
  const client = connect(Token);
  const replies = await comments(client.subscribe, topic);
  const before = await order('requests');
  await order('revoke', { token: Token });
  assert.deepEqual(await replies.end(), ['error']);
  assert.ok(replies.error instanceof SignedOutError);
  await none();
  assert.equal(await order('requests'), before);
});

test('pings are answered', async () => {
  let pongs = 0;
  const got = new Sink();
  const topic = await order('topic');
  const client = connect('', { keepAlive: 100, on: { pong: (received) => {
    if (received && ++pongs === 3) got.sink.complete();
  } } });
  const replies = await comments(client.subscribe, topic);
  await got.end();
  await finish(replies, topic);
  await none();
  assert.deepEqual(await client.closed(1), [1000]);
});

test('a connection on which nothing arrives any more is given up', async () => {
  const topic = await order('topic');
  const client = connect('', { keepAlive: 50, patience: 250 });
  const replies = await comments(client.subscribe, topic);
  await order('freeze');
  replies.want.push(...(await order('reply', { topic, n: 3 })));
  await finish(replies, topic);
  assert.equal((await client.closed(1))[0], 4499);
  await order('cut');
  await none();
});
