// Members of a site whose tokens live for a few seconds: live updates and queries go on from token to token, by each
// client and transport.
import assert from 'node:assert/strict';
import { gql } from '@apollo/client';
import { codeOf, SignedOutError } from 'agora-client/errors';
import { authorizedFetch } from 'agora-client/fetch';
import { socketClient } from 'agora-client/socket';
import { streamClient } from 'agora-client/streams';
import WebSocket from 'ws';
import { comments, finish, none, onNotifications, onTopic, order, sign, Sink, soon, test, url, viewer, vote } from './site.mjs';
import { apolloClient } from './snippets/apollo.mjs';
import { urqlClient } from './urqlclient.mjs';

globalThis.WebSocket ??= WebSocket;

// How long tokens live, in seconds, and how many must end in a test.
const life = Number(process.argv[4] ?? 2);
const ends = Number(process.argv[5] ?? 3);

let members = 0;

// member is somebody whose site answers tokens: a new one if it is asked for another, or if `lazy` once one has ended.
function member(lazy) {
  const sub = `member${++members}`;
  const issued = [];
  const ended = ({ at }) => at + life * 1000 <= Date.now();
  const token = async (old) => {
    if (issued.length === 0 || (lazy ? ended(issued.at(-1)) : issued.at(-1).token === old)) {
      issued.push({ at: Math.floor(Date.now() / 1000) * 1000, token: sign(sub, life) });
    }
    return issued.at(-1).token;
  };
  return { sub, token, ended: () => issued.filter(ended).length };
}

const transports = {
  sockets: (options) => socketClient({ url, webSocketImpl: WebSocket, retryWait: soon, ...options }),
  streams: (options) => streamClient({ url, retry: soon, ...options }),
};

// subscribers are the ways to subscribe, with the subscribe method of graphql-ws.
const subscribers = {
  plain: (_token, live) => live.subscribe,
  apollo: (token, live) => ({ query, variables }, sink) => {
    const running = apolloClient({ url, token, live }).subscribe({ query: gql(query), variables }).subscribe({
      next: (result) => (result.error ? sink.error(result.error) : sink.next(result)),
    });
    return () => running.unsubscribe();
  },
  urql: (token, live) => ({ query, variables }, sink) => urqlClient({ url, token, live }).subscription(query, variables)
    .subscribe((result) => (result.error ? sink.error(result.error) : sink.next(result))).unsubscribe,
};

// follow reads the comments of a topic until enough tokens have ended, and returns of each connection whether it came back.
async function follow(transport, subscriber, { token, ended, message }) {
  const connections = [];
  const live = transports[transport]({ token, on: { message, connected: (...all) => connections.push(all.at(-1)) } });
  const topic = await order('topic');
  const states = new Sink();
  const stop = live.subscribe({ query: onTopic, variables: { topic } }, states.sink); // which cannot resume
  const replies = await comments(subscribers[subscriber](token, live), topic);
  for (let seen; seen === undefined || states.results.length === seen;) {
    replies.want.push(...(await order('reply', { topic, n: 2 })));
    assert.deepEqual(await replies.replies(replies.want.length - 1), replies.want.slice(0, replies.results.length));
    if (ended() >= ends) seen ??= states.results.length;
  }
  await finish(replies, topic);
  stop();
  assert.deepEqual(states.ended.filter((how) => how === 'error'), []);
  return connections;
}

for (const transport of ['sockets', 'streams']) {
  test(`nothing is lost over ${transport} while tokens end`, async () => {
    const all = [];
    for (const subscriber of Object.keys(subscribers)) {
      for (const lazy of [false, true]) all.push(follow(transport, subscriber, member(lazy)));
    }
    for (const connections of await Promise.all(all)) {
      assert.equal(connections.filter((again) => !again).length, transport === 'sockets' ? 1 : 2);
    }
    await none();
  }, life * (ends + 2) * 1000);

  test(`over ${transport}, tokens are renewed before they end`, async () => {
    // The client takes them for tokens that end within two seconds.
    const tokens = Array.from({ length: 1 + ends }, () => sign('early', 60));
    let used = 0;
    const token = (old) => tokens[old === tokens[used] && used < ends ? ++used : used];
    let renewed = 0;
    const message = ({ payload }) => {
      if (payload?.data?.renewToken?.expiresAt) renewed++;
    };
    const { now } = Date;
    Date.now = () => now() + 58_000;
    try {
      const connections = await follow(transport, 'plain', { token, message, ended: () => used });
      if (transport === 'sockets') assert.deepEqual([connections, renewed >= ends - 1], [[false], true]);
      else assert.ok(connections.length > 2);
    } finally {
      Date.now = now;
    }
    await none();
  });

  test(`over ${transport}, who signs out goes on as a guest`, async () => {
    const { token } = member();
    let signedIn = true;
    const live = transports[transport]({ token: () => (signedIn ? token() : null) });
    const topic = await order('topic');
    const replies = await comments(live.subscribe, topic);
    const notices = new Sink();
    live.subscribe({ query: onNotifications }, notices.sink);
    signedIn = false;
    assert.deepEqual(await notices.end(), ['error']);
    assert.ok(notices.error instanceof SignedOutError);
    replies.want.push(...(await order('reply', { topic, n: 3 })));
    await finish(replies, topic);
    assert.deepEqual(notices.ended, ['error']);
    await none();
  });

  test(`over ${transport}, a token that has ended is tried once`, async () => {
    const old = sign('old', life + 4);
    const live = transports[transport]({ token: () => old });
    const { subscribe } = live;
    const [one, two] = [await comments(subscribe, await order('topic')), await comments(subscribe, await order('topic'))];
    const before = await order('requests');
    for (const { end, error } of [one, two].map((got) => ({ end: got.end(), error: () => got.error }))) {
      assert.deepEqual(await end, ['error']);
      assert.ok(error() instanceof SignedOutError);
      assert.equal(codeOf(error()), 'UNAUTHENTICATED');
    }
    await none();
    assert.equal(await order('requests'), before);
    assert.deepEqual([one.ended, two.ended], [['error'], ['error']]);
  });

  test(`over ${transport}, tokens that are never accepted are given up`, async () => {
    let asked = 0;
    const live = transports[transport]({ token: () => `agora_1_bad${++asked}` });
    const before = await order('requests');
    const got = new Sink();
    live.subscribe({ query: viewer }, got.sink);
    assert.deepEqual(await got.end(), ['error']);
    assert.ok(got.error instanceof SignedOutError);
    assert.ok((await order('requests')) - before >= 4);
    await none();
  });

  test(`over ${transport}, a site that answers no token is asked again`, async () => {
    const { sub } = member();
    let asked = 0;
    const late = [];
    // A socket without a token closes only once the next one is opened, which must not end with it.
    class Slow extends WebSocket {
      constructor(...all) {
        super(...all);
        late.splice(0).forEach((close) => close());
      }

      close(code, reason) {
        const close = () => super.close(code, reason);
        if (code === 1000) close();
        else late.push(close);
      }
    }
    const live = transports[transport]({
      token: async () => {
        if (++asked < 3) throw new Error('the site is away');
        return sign(sub, 60);
      },
      ...(transport === 'sockets' && { webSocketImpl: Slow }),
    });
    const got = new Sink();
    live.subscribe({ query: viewer }, got.sink);
    assert.deepEqual([await got.end(), got.error], [['complete'], undefined]);
    assert.equal(got.results[0].data.viewer.user.login, sub);
    assert.equal(asked, 3);
    await none();
  });

  test(`over ${transport}, subscriptions go on with the tokens of others`, async () => {
    const [first, next] = [await order('user'), await order('user')];
    let token = null;
    const live = transports[transport]({ token: () => token });
    const topic = await order('topic');
    const replies = await comments(live.subscribe, topic);
    token = first.Token;
    live.terminate();
    replies.want.push(...(await order('reply', { topic, n: 3 })));
    await replies.replies(replies.want.length);
    token = next.Token;
    await order('revoke', { token: first.Token });
    replies.want.push(...(await order('reply', { topic, n: 3 })));
    await finish(replies, topic);
    await none();
  });
}

test('a request is asked again once with another token, then without', async () => {
  const { sub } = member();
  const good = sign(sub, 60);
  for (const [tokens, login, requests, guests] of [
    [[good], sub, 1, 0],
    [['agora_1_bad', good], sub, 2, 0],
    [['agora_1_bad'], null, 2, 1],
    [['agora_1_bad', 'agora_1_worse', good], null, 3, 1],
    [[null], null, 1, 0],
    [['agora_1_bad', null], null, 2, 1],
  ]) {
    let asked = 0;
    let ended = 0;
    const token = async () => tokens[Math.min(asked++, tokens.length - 1)];
    const send = authorizedFetch({ token, ended: () => ended++ });
    const before = await order('requests');
    const body = JSON.stringify({ query: `{ site { name } ${viewer.slice(viewer.indexOf('viewer'))}` });
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body };
    const answer = await (await (asked % 2 ? send(url, request) : send(new Request(url, request)))).json();
    assert.deepEqual(answer.data, { site: { name: 'Agora' }, viewer: login && { user: { login } } });
    assert.deepEqual([(await order('requests')) - before, ended], [requests, guests]);
  }
});

test('clients with a token that has ended show what everybody may read', async () => {
  const token = () => 'agora_1_bad';
  const live = { subscribe: () => () => {} };
  const apollo = await apolloClient({ url, token, live }).query({ query: gql(viewer) });
  const urql = await urqlClient({ url, token, live }).query(viewer, {});
  assert.deepEqual([apollo.data, urql.data.viewer, urql.error], [{ viewer: null }, null, undefined]);
  const refused = await urqlClient({ url, token, live }).mutation(vote, { topic: await order('topic') });
  assert.equal(codeOf(refused.error), 'UNAUTHENTICATED');
});
