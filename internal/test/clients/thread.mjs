// What places new comments in a thread agrees with the thread as it is read.
import assert from 'node:assert/strict';
import { place } from 'agora-client/thread';
import { order, test, url } from './site.mjs';

const { Token } = await order('user');

async function ask(query, variables) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${Token}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await answer.json();
  assert.equal(errors, undefined);
  return data;
}

const row = 'fragment Row on CommentEdge { cursor hasGapBefore node { id number depth content parent { id } } }';
const read = async (id, orderBy, first, around) => (await ask(`query($id: ID!, $orderBy: CommentOrder, $first: Int, $around: Int) {
  topic(by: { id: $id }) { thread(orderBy: $orderBy, maxDepth: 3, first: $first, around: $around) {
    edges { ...Row } pageInfo { hasNextPage endCursor }
  } }
} ${row}`, { id, orderBy, first, around })).topic.thread;
const reply = async (input) => (await ask(`mutation($input: CreateCommentInput!) {
  createComment(input: $input) {
    OLDEST: commentEdge(orderBy: OLDEST, maxDepth: 3) { ...Row } NEWEST: commentEdge(orderBy: NEWEST, maxDepth: 3) { ...Row }
    comment { id number } errors { code }
  }
} ${row}`, { input })).createComment;

// The comments to which each reply is, by their numbers; 0 is the topic.
const parents = [0, 0, 1, 2, 3, 1, 5, 7, 0, 8, 6, 9];

for (const orderBy of ['OLDEST', 'NEWEST']) {
  test(`a whole thread, ${orderBy}`, async () => {
    const topic = await order('topic');
    const ids = [undefined];
    let page = await read(topic, orderBy, 100);
    for (const [i, parent] of parents.entries()) {
      const made = await reply({ topicId: topic, content: `Reply ${i}`, parentId: ids[parent] });
      assert.deepEqual(made.errors, []);
      ids.push(made.comment.id);
      page = place(page, made[orderBy], orderBy);
      assert.deepEqual(page, await read(topic, orderBy, 100), `after ${i + 1}`);
    }
    const edited = { ...page.edges[2], cursor: 'another', node: { ...page.edges[2].node, content: 'Edited' } };
    const after = place(page, edited, orderBy);
    assert.deepEqual(after.edges.map(({ cursor }) => cursor), page.edges.map(({ cursor }) => cursor));
    assert.equal(after.edges[2].node.content, 'Edited');
  });

  test(`pages that leave out rows, ${orderBy}`, async () => {
    const topic = await order('topic');
    const ids = [undefined];
    for (const parent of parents.slice(0, 8)) {
      ids.push((await reply({ topicId: topic, content: 'Reply', parentId: ids[parent] })).comment.id);
    }
    for (const [first, around] of [[2], [4], [4, 4], [4, 8], [5, 7]]) {
      let page = await read(topic, orderBy, first, around);
      for (const parent of ids) {
        const made = await reply({ topicId: topic, content: 'Late', parentId: parent });
        assert.deepEqual(made.errors, []);
        page = place(page, made[orderBy], orderBy);
        const all = (await read(topic, orderBy, 100)).edges;
        let last = -1;
        for (const { cursor, node, hasGapBefore } of page.edges) {
          const at = all.findIndex((each) => each.node.id === node.id);
          assert.ok(at > last, `${node.number} is out of order`);
          assert.deepEqual([cursor, hasGapBefore], [all[at].cursor, at > last + 1], `${node.number} of ${first} around ${around}`);
          last = at;
        }
        assert.deepEqual([page.pageInfo.endCursor, page.pageInfo.hasNextPage], [all[last].cursor, last < all.length - 1]);
      }
    }
  });
}
