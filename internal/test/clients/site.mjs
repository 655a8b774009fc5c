// Shared by the programs of all clients: the site that they use, orders to the test that
// runs it, and the documents.
import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';

// url is the site's endpoint, through a network that can be cut.
export const url = process.argv[2];
const control = process.argv[3];
if (!control) {
  console.error('usage: node CLIENT.mjs URL CONTROL');
  process.exit(2);
}

// order makes the test do something, and returns the result.
export async function order(what, input = {}) {
  const answer = await fetch(`${control}/${what}`, { method: 'POST', body: JSON.stringify(input) });
  const text = await answer.text();
  assert.ok(answer.ok, `${what}: ${text}`);
  return JSON.parse(text);
}

// secret is that of the site's issuer.
const secret = 'a secret of the site and its members';

// sign returns a token of a member that is valid for some seconds, as the site's server would.
export function sign(sub, seconds) {
  const encode = (part) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: 'https://www.example.org', aud: 'forum', sub, preferred_username: sub, iat, exp: iat + seconds, jti: randomUUID() };
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

// soon waits a short time, before a client's next attempt.
export const soon = () => new Promise((done) => setTimeout(done, 5 + 5 * Math.random()));

// none waits until the server has nothing open.
export const none = () => order('await', { sockets: 0, streams: 0, subscriptions: 0 });

// test runs one test, which may take a while beside what is usual, and prints whether it passed; the next begins after it.
let before = Promise.resolve();
export function test(name, run, more = 0) {
  before = before.then(async () => {
    const began = performance.now();
    try {
      await Promise.race([run(), late(name, 15_000 + more)]);
      console.log(`ok ${name} (${Math.round(performance.now() - began)} ms)`);
    } catch (err) {
      console.log(`failed ${name}: ${String(err?.stack ?? err).replaceAll('\n', ' ')}`);
      process.exit(1);
    }
  });
}

const late = (name, after) =>
  new Promise((_, reject) => setTimeout(() => reject(new Error(`${name} took too long`)), after).unref());

// Sink receives the results of a subscription, and waits for them.
export class Sink extends EventEmitter {
  results = [];
  error = undefined;
  ended = []; // 'error' and 'complete', in the order of arrival

  // sink are its callbacks.
  sink = {
    next: (result) => this.#took(() => this.results.push(result)),
    error: (err) => this.#took(() => {
      this.error = err;
      this.ended.push('error');
    }),
    complete: () => this.#took(() => this.ended.push('complete')),
  };

  #took(what) {
    what();
    this.emit('took');
  }

  // until waits until a condition holds.
  async until(holds) {
    while (!holds()) {
      await once(this, 'took');
    }
  }

  // replies waits for as many comments and returns their texts.
  async replies(n) {
    await this.until(() => this.results.length >= n || this.ended.length > 0);
    return this.results.map(({ data }) => data.commentAdded.comment.content);
  }

  // end waits until the subscription has ended, and returns how.
  async end() {
    await this.until(() => this.ended.length > 0);
    return this.ended;
  }
}

// one requests one result.
export async function one(client, request) {
  const got = new Sink();
  client.subscribe(request, got.sink);
  assert.deepEqual(await got.end(), ['complete']);
  assert.equal(got.results.length, 1);
  return got.results[0];
}

// comments subscribes to the comments of a topic. It waits until that has begun: the
// first reply is seen.
export async function comments(subscribe, topic) {
  const got = new Sink();
  got.stop = subscribe({ query: onComments, variables: { topic } }, got.sink);
  got.want = await begun(got, topic);
  return got;
}

// begun posts replies until a subscription sees them; nothing else shows that it has begun.
async function begun(got, topic) {
  const posted = [];
  while (got.results.length === 0) {
    posted.push(...(await order('reply', { topic, n: 1 })));
    assert.deepEqual(got.ended, []);
  }
  const seen = await got.replies(1);
  return posted.slice(posted.indexOf(seen[0]));
}

// finish posts a last reply and checks that each was seen once, in order.
export async function finish(got, topic) {
  got.want.push(...(await order('reply', { topic, n: 1 })));
  assert.deepEqual(await got.replies(got.want.length), got.want);
  got.stop();
}

export const onComments = `subscription Comments($topic: ID!, $after: String) {
  commentAdded(topic: {id: $topic}, after: $after) { eventId kind comment { id content author { login } } }
}`;
export const onTopic = 'subscription Topic($topic: ID!) { topicUpdated(topic: {id: $topic}) { topic { id commentCount votes { up } } } }';
export const onTimeline = `subscription Timeline($timeline: ID!, $after: String) {
  timelineUpdated(timelineId: $timeline, after: $after) { eventId kind edge { node { id title } } }
}`;
export const onNotifications = `subscription Notifications($after: String) {
  notificationAdded(after: $after) { eventId kind notification { reason actor { login } } }
}`;
export const front = 'query Front { front(orderBy: { field: CREATED }) { id } }';
export const viewer = 'query Viewer { viewer { user { login } } }';
export const vote = 'mutation Vote($topic: ID!) { vote(input: { subjectId: $topic, direction: UP }) { changed errors { code } } }';
// unknown is the id of no topic.
export const unknown = Buffer.from('Topic:256').toString('base64');
// wrong are requests that cannot be executed, with their codes.
export const wrong = [
  [{ query: onComments, variables: { topic: unknown } }, 'NOT_FOUND'],
  [{ query: 'subscription {' }, 'GRAPHQL_PARSE_FAILED'],
  [{ query: 'subscription { nothing }' }, 'GRAPHQL_VALIDATION_FAILED'],
  [{ query: onComments, variables: { topic: unknown, after: 'x' } }, 'NOT_FOUND'],
  [{ query: onComments, variables: {} }, 'BAD_USER_INPUT'],
  [{ query: 'subscription { notificationAdded { eventId } }' }, 'UNAUTHENTICATED'],
];
