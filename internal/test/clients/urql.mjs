// urql against a site: subscriptions through graphql-ws or graphql-sse, everything else over HTTP.
import assert from 'node:assert/strict';
import { Client, fetchExchange } from '@urql/core';
import { codeOf } from 'agora-client/errors';
import { socketClient } from 'agora-client/socket';
import { streamClient } from 'agora-client/streams';
import WebSocket from 'ws';
import { comments, finish, front, none, onTimeline, onTopic, order, Sink, soon, test, url, viewer, vote, wrong } from './site.mjs';
import { urqlClient } from './urqlclient.mjs';

const overSocket = (token) => socketClient({ url, token, webSocketImpl: WebSocket, retryWait: soon });
const overStreams = (token) => streamClient({ url, token, retry: soon });

// connect is urqlClient with short delays, with the subscribe methods of graphql-ws. urql returns
// errors as results.
function connect(live, token) {
  return subscribing(urqlClient({ url, token: () => token, live: live(() => token) }));
}

function subscribing(client) {
  client.subscribed = ({ query, variables }, sink) =>
    client.subscription(query, variables).subscribe((result) => (result.error ? sink.error(result.error) : sink.next(result))).unsubscribe;
  return client;
}

for (const [name, live, open] of [
  ['a socket', overSocket, { sockets: 1, streams: 0 }],
  ['streams', overStreams, { sockets: 0, streams: 3 }],
]) {
  test(`queries, mutations and subscriptions over ${name}`, async () => {
    const { Login, Token } = await order('user');
    const topic = await order('topic');
    const client = connect(live, Token);
    assert.equal((await client.query(viewer, {})).data.viewer.user.login, Login);
    const timeline = (await client.query(front, {})).data.front.id;
    const replies = await comments(client.subscribed, topic);
    const [states, places] = [new Sink(), new Sink()];
    const stops = [
      client.subscribed({ query: onTopic, variables: { topic } }, states.sink),
      client.subscribed({ query: onTimeline, variables: { timeline } }, places.sink),
    ];
    await order('await', { ...open, subscriptions: 3 });
    assert.equal((await client.mutation(vote, { topic })).data.vote.changed, true);
    await states.until(() => states.results.at(-1)?.data.topicUpdated.topic.votes.up === 1);
    const made = await order('topic');
    await places.until(() => places.results.length > 0);
    assert.equal(places.results[0].data.timelineUpdated.edge.node.id, made);
    await finish(replies, topic);
    stops.forEach((stop) => stop());
    await none();
  });

  test(`nothing is lost over ${name} by cuts and restarts`, async () => {
    const { Token } = await order('user');
    const topic = await order('topic');
    const replies = await comments(connect(live, Token).subscribed, topic);
    replies.want.push(...(await order('storm', { topic, n: 5 })));
    await order('restart');
    replies.want.push(...(await order('reply', { topic, n: 3 })));
    await finish(replies, topic);
    await none();
  });

  test(`what cannot be executed ends with one error over ${name}`, async () => {
    const client = connect(live);
    for (const [{ query, variables }, code] of wrong.filter(([, code]) => code !== 'GRAPHQL_PARSE_FAILED')) { // which urql refuses
      const got = new Sink();
      const before = await order('requests');
      const stop = client.subscribed({ query, variables: variables ?? {} }, got.sink);
      await got.end();
      await none();
      assert.equal(codeOf(got.error), code);
      assert.deepEqual([new Set(got.ended), got.results], [new Set(['error']), []]); // at the end, urql repeats the last result
      assert.equal((await order('requests')) - before, 1);
      stop();
    }
  });
}

const signInAgain = (error) => codeOf(error) === 'UNAUTHENTICATED';

test('a bad token costs one connection', async () => {
  const topic = await order('topic');
  for (const live of [overSocket, overStreams]) {
    const client = connect(live, 'agora_1_bad');
    const before = await order('requests');
    const got = new Sink();
    client.subscribed({ query: onTopic, variables: { topic } }, got.sink);
    await got.end();
    assert.ok(signInAgain(got.error));
    await none();
    assert.equal((await order('requests')) - before, 1);
  }
  assert.equal((await connect(overSocket, 'agora_1_bad').query(viewer, {})).data.viewer, null); // asked again without it
});

test('a revoked session ends streams for good', async () => {
  const { Token } = await order('user');
  const replies = await comments(connect(overStreams, Token).subscribed, await order('topic'));
  const before = await order('requests');
  await order('revoke', { token: Token });
  await replies.end();
  assert.ok(signInAgain(replies.error));
  await none();
  assert.equal(await order('requests'), before);
});

test('urql reads streams by itself, but does not come back', async () => {
  const topic = await order('topic');
  const client = subscribing(new Client({ url, preferGetMethod: false, fetchSubscriptions: true, exchanges: [fetchExchange] }));
  const replies = await comments(client.subscribed, topic);
  replies.want.push(...(await order('reply', { topic, n: 3 })));
  await finish(replies, topic);
  await none();
  const got = new Sink();
  client.subscribed(wrong[0][0], got.sink);
  await got.end();
  assert.equal(got.error.graphQLErrors[0].extensions.code, 'NOT_FOUND');
  const cut = await comments(client.subscribed, topic);
  await order('cut');
  await cut.end();
  assert.ok(cut.error.networkError);
  await none();
});
