// The page of "A typed list in ten minutes": a topic that gets a reply comes to its head.
import { ask, close, equal, origin, reply, test, tokenOf, until } from './site.mjs';

await test('list', async (open) => {
  const page = await open();
  await page.goto(origin);
  const rows = page.locator('li');
  await rows.nth(19).waitFor();
  const { front } = await ask('{ front { topics(first: 20) { nodes { id title commentCount } } } }');
  const last = front.topics.nodes[19];
  await reply(last.id, 'A reply', await tokenOf('demo'));
  const want = `${last.commentCount + 1} comments`;
  await until(page, ([title, count]) => {
    const { textContent } = document.querySelector('li');
    return textContent.includes(title) && textContent.includes(count);
  }, [last.title, want]);
  equal(await rows.count(), 20, 'rows');
  page.complaints.length = 0; // of the icon that the page does not have
});
await close();
