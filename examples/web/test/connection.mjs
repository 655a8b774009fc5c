// What several browsers see of each other, and of a connection that breaks.
import { ask, cut, equal, live, mend, origin, post, reply, test, tokenOf, until } from './site.mjs';

const comments = (page) => page.locator('.comment .prose').allInnerTexts();

async function survivesCut(open) {
  const token = await tokenOf('otto-k');
  const travel = { category: { name: 'Travel' } };
  const topic = await post({ title: 'A thread on a train', content: 'It has tunnels.', ...travel }, token);
  const page = await open({ login: 'demo' });
  await page.goto(`${origin}/t/${topic.number}`);
  await live(page);
  await reply(topic.id, 'before the tunnel', token);
  await page.getByText('before the tunnel').waitFor();
  await cut();
  await page.getByText('Reconnecting').waitFor();
  for (const word of ['one', 'two', 'three']) await reply(topic.id, word, token);
  await mend();
  await page.locator('.comment').getByText('three', { exact: true }).waitFor();
  equal(await comments(page), ['before the tunnel', 'one', 'two', 'three'], 'the replies after the cut');
  await page.getByText('Reconnecting').waitFor({ state: 'detached' });
  page.complaints.length = 0; // the browser reports the connections that were refused
}

async function meets(open) {
  const reader = await open({ login: 'demo' });
  const demo = await tokenOf('demo');
  const topic = await post({ title: 'Two at one table', content: 'Sit down.', category: { name: 'Q&A' } }, demo);
  await reader.goto(`${origin}/t/${topic.number}`);
  await live(reader);
  const unread = Number(await reader.locator('.bell .badge').innerText());
  const writer = await open({ login: 'otto-k' });
  await writer.goto(`${origin}/t/${topic.number}`);
  await writer.getByLabel('Your reply').fill('Is this seat taken?');
  await writer.getByRole('button', { name: 'Reply', exact: true }).last().click();
  await reader.getByText('Is this seat taken?').waitFor();
  await until(reader, (n) => document.querySelector('.bell .badge').textContent === String(n), unread + 1);

  await writer.locator('.comment').getByRole('button', { name: 'Edit' }).click();
  await writer.getByLabel('Edit the comment').fill('Is that seat taken?');
  await writer.getByRole('button', { name: 'Save' }).click();
  await reader.getByText('Is that seat taken?').waitFor();
  await reader.locator('.comment').getByRole('button', { name: 'Vote up: comment 1' }).click();
  await until(writer, () => document.querySelector('.comment .vote span:last-of-type')?.textContent.endsWith('1'));
  await writer.locator('.comment').getByRole('button', { name: 'Delete' }).click();
  await writer.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await reader.getByText('This comment was deleted.').waitFor();
}

async function tellsNews(open) {
  const token = await tokenOf('otto-k');
  const page = await open();
  await page.goto(`${origin}/?order=CREATED`);
  await page.locator('.row').first().waitFor();
  await live(page);
  for (const n of [1, 2, 3]) await post({ title: `News ${n}`, category: { name: 'Q&A' } }, token);
  await page.getByRole('button', { name: '3 new' }).click();
  await until(page, () => document.querySelector('.row h2 a')?.textContent === 'News 3');
  const shown = await page.locator('.row h2').evaluateAll((all) => all.map((each) => each.id));
  equal(new Set(shown).size, shown.length, 'topics shown once');
  const { front } = await ask('{ front(orderBy: {field: CREATED}) { topics(first: 3) { nodes { id } } } }');
  equal(shown.slice(0, 3), front.topics.nodes.map((topic) => topic.id), 'the first topics');
}

export async function connection() {
  await test('a cut connection is marked, and what was missed comes once and in order', survivesCut);
  await test('two browsers see each other reply, edit, vote and delete', meets);
  await test('the front says how many topics are new', tellsNews);
}
