// What a visitor, a member and a moderator do.
import { act, ask, equal, origin, password, post, reply, test, tokenOf, until } from './site.mjs';

const rows = (page) => page.locator('.row h2 a:first-child').allInnerTexts();

async function looksAround(open) {
  const page = await open();
  await page.goto(origin);
  await page.locator('.row').nth(19).waitFor();
  const active = await rows(page);
  await page.getByRole('link', { name: 'Top', exact: true }).click();
  await page.getByRole('link', { name: 'All time' }).click();
  await until(page, (first) => document.querySelector('.row h2 a')?.textContent !== first, active[0]);
  const failures = [];
  await page.route('**/graphql*', async (route) => { // so that more of Top is under way when New comes
    await new Promise((resolve) => { setTimeout(resolve, 300); });
    const response = await route.fetch();
    failures.push(...((await response.json()).errors ?? []));
    await route.fulfill({ response });
  });
  await page.getByRole('link', { name: 'New', exact: true }).click();
  await until(page, () => location.search === '?order=CREATED' && document.querySelectorAll('.row').length >= 20);
  await until(page, () => {
    scrollTo(0, document.body.scrollHeight);
    return document.querySelectorAll('.row').length >= 40;
  });
  await page.unrouteAll({ behavior: 'wait' });
  equal(failures, [], 'errors of these requests');
  const titles = await page.locator('.row h2').evaluateAll((all) => all.map((each) => each.id));
  equal(new Set(titles).size, titles.length, 'topics shown once');
  await page.getByRole('link', { name: 'Links', exact: true }).click();
  await page.locator('.row[data-kind="ARTICLE"]').first().waitFor();
  await until(page, () => document.querySelectorAll('.row:not([data-kind="ARTICLE"])').length === 0);
  await page.locator('.side-nav .tabs a').first().click();
  await until(page, () => location.pathname.startsWith('/tab/') && document.querySelector('.row'));
  await page.locator('.row .chip').first().click();
  await until(page, () => location.pathname.startsWith('/c/') && document.querySelector('.row'));
  await page.goto(`${origin}/tag/redis?order=HOT`);
  await page.getByRole('heading', { name: '#redis' }).waitFor();
  await page.locator('.row').first().waitFor();
  await page.getByRole('link', { name: 'Most replied', exact: true }).click();
  await page.getByRole('heading', { name: 'Most replied today', level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: '#redis' }).waitFor();
}

async function readsTree(open) {
  const page = await open();
  await page.goto(`${origin}/t/131853`);
  await page.locator('.comment').first().waitFor();
  await page.getByRole('button', { name: 'More comments' }).click();
  await until(page, () => document.querySelectorAll('.discussion > .comments > .comment').length > 20);
  const before = await page.locator('.comment').count();
  await page.getByRole('button', { name: /^\d+ (more )?repl(y|ies)$/ }).first().click();
  await until(page, (n) => document.querySelectorAll('.comment').length > n, before);
  const ids = await page.locator('.comment').evaluateAll((all) => all.map((each) => each.id));
  equal(new Set(ids).size, ids.length, 'comments shown once');
  await page.getByRole('link', { name: 'Newest' }).click();
  await until(page, (first) => ![first, undefined].includes(document.querySelector('.comment')?.id), ids[0]);
}

async function followsLinks(open) {
  const page = await open();
  await page.goto(`${origin}/t/131853#c80`);
  await page.locator('.linked #c80').waitFor();
  await page.evaluate(() => { location.hash = '#c61'; });
  await page.locator('.linked #c61').waitFor();
  await page.goBack();
  await page.locator('.linked #c80').waitFor();
  await page.getByRole('link', { name: 'Most replied', exact: true }).click();
  await page.getByRole('heading', { name: 'Most replied today', level: 1 }).waitFor();
}

async function takesPart(open) {
  const page = await open();
  const token = await tokenOf('otto-k');
  const topic = await post({ title: 'Shall we meet?', content: 'On *Friday*.', category: { name: 'Q&A' } }, token);
  await page.goto(`${origin}/t/${topic.number}`);
  await page.getByRole('button', { name: 'Vote up: Shall we meet?' }).click();
  await page.getByRole('button', { name: 'demo member' }).click();
  await until(page, (path) => location.pathname === path, `/t/${topic.number}`);

  // The vote is there before the server answers.
  let answer;
  const asked = new Promise((received) => {
    void page.route('**/graphql', async (route) => {
      if (route.request().postData().includes('mutation Vote')) {
        received();
        await new Promise((go) => { answer = go; });
      }
      await route.continue();
    });
  });
  const vote = page.getByRole('button', { name: 'Vote up: Shall we meet?' });
  await vote.click();
  await asked;
  equal(await vote.getAttribute('aria-pressed'), 'true', 'the vote before the answer');
  equal(await page.locator('.topic .vote span:not(.hidden)').innerText(), 'Votes:\n1', 'the count before the answer');
  answer();
  await page.unrouteAll({ behavior: 'wait' });

  const box = page.getByLabel('Your reply');
  await box.fill('  ');
  await box.press('Control+Enter');
  await page.locator('.composer .fault:not(:empty)').first().waitFor();
  equal(await box.getAttribute('aria-invalid'), 'true', 'an empty reply');
  await box.fill('I will be **there**.');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.locator('.preview strong', { hasText: 'there' }).waitFor();
  await page.getByRole('button', { name: 'Reply', exact: true }).last().click();
  await page.locator('.comment strong', { hasText: 'there' }).waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Edit the comment').fill('I will be late.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.comment p', { hasText: 'I will be late.' }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete' }).last().click();
  await page.getByText('This comment was deleted.').waitFor();
  equal(await page.getByRole('heading', { name: '0 comments' }).count(), 1, 'the count after the deletion');

  await page.getByRole('button', { name: 'Bookmark: Shall we meet?' }).click();
  await page.getByRole('link', { name: 'Bookmarks' }).click();
  await page.locator('.row', { hasText: 'Shall we meet?' }).waitFor();
  await page.goto(`${origin}/@otto-k`);
  const follow = page.locator('.profile').getByRole('button', { name: /Follow/ });
  if (await follow.getAttribute('aria-pressed') === 'false') await follow.click();
  await page.locator('.profile').getByRole('button', { name: 'Following' }).waitFor();
  await page.getByRole('link', { name: 'Home' }).click();
  await page.locator('.row', { hasText: 'Shall we meet?' }).waitFor();
  await page.getByRole('link', { name: 'Lists' }).click();
  await page.getByLabel('New list').fill('Neighbours');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('link', { name: 'Neighbours' }).click();
  await page.getByLabel('Add a member').fill('otto-k');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.locator('.row', { hasText: 'Shall we meet?' }).waitFor();
}

async function registers(open) {
  const page = await open();
  await page.goto(`${origin}/register`);
  await page.getByLabel('Login').fill('A');
  await page.getByLabel('E-mail').fill('nobody');
  await page.getByLabel('Password').fill('secret');
  await page.getByRole('button', { name: 'Create account' }).click();
  await until(page, () => document.querySelectorAll('[aria-invalid]').length === 3);
  await until(page, () => document.activeElement?.getAttribute('name') === 'login');
  const fault = await page.getByLabel('Login').evaluate(
    (input) => document.getElementById(input.getAttribute('aria-describedby').split(' ')[1]).textContent,
  );
  equal(fault, 'login must have at least 2 characters.', 'the fault');
  await page.getByLabel('Login').fill('newcomer');
  await page.getByLabel('E-mail').fill('newcomer@example.com');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByLabel('Account of newcomer').click();
  await page.getByRole('link', { name: 'Account', exact: true }).click();
  await page.getByLabel('About you').fill('I am new.');
  await page.getByRole('button', { name: 'Save profile' }).click();
  await page.getByText('Your profile has changed.').waitFor();
  await page.getByRole('link', { name: 'Post', exact: true }).click();
  await page.getByRole('button', { name: 'Post', exact: true }).click();
  await page.locator('.fault:not(:empty)').first().waitFor();
  await page.getByLabel('Title').fill('مرحبا بالجميع');
  await page.getByLabel('Category').selectOption('Q&A');
  await page.getByLabel('Text').fill('أنا جديد هنا.');
  await page.getByLabel('Tags').fill('ترحيب, hello');
  await page.getByRole('button', { name: 'Post', exact: true }).click();
  const title = page.getByRole('heading', { name: 'مرحبا بالجميع' });
  await title.waitFor();
  const direction = (each) => getComputedStyle(each).direction;
  equal(await title.evaluate(direction), 'rtl', 'the direction of the title');
  equal(await page.locator('.topic .prose').evaluate(direction), 'rtl', 'the direction of the text');
  await page.getByLabel('Account of newcomer').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
}

async function moderates(open) {
  const token = await tokenOf('demo');
  const topic = await post({ title: 'Cheap watches', content: 'Buy!', category: { name: 'Q&A' } }, token);
  const { register } = await ask(`mutation { register(input: {
    login: "seller", name: "Seller", email: "seller@example.org", password: "${password}"
  }) { token } }`);
  await reply(topic.id, 'Buy them now.', register.token);
  const member = await open({ login: 'demo' });
  await member.goto(`${origin}/t/${topic.number}`);
  await member.locator('.comment').getByRole('button', { name: 'Report' }).click();
  await act(member, 'Report', { Reason: 'SPAM' }, 'Again this one.');
  await member.getByText('The moderators will look at it.').waitFor();
  const page = await open({ login: 'mara.lindqvist' });
  await page.goto(`${origin}/queue`);
  const reported = page.locator('.case', { hasText: 'Buy them now.' });
  await reported.getByText('Again this one.').waitFor();
  await reported.getByRole('button', { name: 'Moderate' }).click();
  await act(page, 'Act', { Action: 'HIDE', Reason: 'SPAM' }, 'No advertising.');
  await reported.getByRole('button', { name: 'Uphold' }).click();
  await until(page, () => !document.querySelector('.case'));
  await member.getByText('This comment was hidden.').waitFor();
  await page.goto(`${origin}/t/${topic.number}`);
  await page.locator('.comment', { hasText: 'Buy them now.' }).getByText('hidden', { exact: true }).waitFor();
  await page.locator('.topic').getByRole('button', { name: 'Moderate' }).click();
  await act(page, 'Act', { Action: 'LOCK', Reason: 'OFF_TOPIC' }, '');
  await page.getByText('This topic is locked').waitFor();
  await page.goto(`${origin}/log`);
  await page.locator('[data-action="HIDE"]', { hasText: 'No advertising.' }).first().waitFor();
  await page.locator('[data-action="LOCK"]', { hasText: 'Cheap watches' }).first().waitFor();
  await member.goto(`${origin}/notifications`);
  await member.getByText('Off topic (locked)').waitFor();
}

async function shedsLight(open) {
  const token = await tokenOf('demo');
  const topic = await post({ title: 'A promise', content: 'I come.', category: { name: 'Q&A' } }, token);
  await ask('mutation($t: ID!) { updateTopic(input: {topicId: $t, content: "I never come."}) { errors { code } } }',
    { t: topic.id }, token);
  const page = await open({ login: 'mara.lindqvist' });
  await page.goto(`${origin}/manage`);
  await page.getByLabel('New category').fill('Gardening');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.locator('.side-nav a', { hasText: 'Gardening' }).waitFor();
  await page.goto(`${origin}/history/${topic.id}`);
  await page.getByRole('heading', { name: 'History' }).waitFor();
}

async function explains(open) {
  const page = await open();
  await page.goto(origin);
  await page.locator('.inspector').waitFor();
  await page.getByRole('link', { name: 'New', exact: true }).click();
  await page.locator('.row').first().waitFor();
  await page.locator('.inspector .bar button').first().click();
  const line = page.locator('#requests li', { hasText: 'values' }).filter({ hasText: 'Front' });
  const text = await line.innerText();
  for (const word of ['round trips', 'commands', 'kB', 'values']) {
    if (!text.includes(word)) throw new Error(`the corner does not tell ${word}: ${text}`);
  }
  const href = await line.getByRole('link').getAttribute('href');
  const search = new URL(href, origin).searchParams;
  if (!search.get('query').includes('query Front') || !JSON.parse(search.get('variables')).orderBy) {
    throw new Error(`the link to the playground is ${href}`);
  }
}

export async function tour() {
  await test('a visitor looks around: tabs, orders, more rows, categories, tags, the day', looksAround);
  await test('a topic shows its tree of comments, and more of it on demand', readsTree);
  await test('a link to a comment opens the discussion there, and others after it', followsLinks);
  await test('a member votes, replies, edits, deletes, bookmarks, follows and makes a list', takesPart);
  await test('a newcomer registers, with faults beside their fields, and posts from right to left', registers);
  await test('a member reports, and a moderator hides, locks and resolves; all of it is logged and told', moderates);
  await test('a moderator manages categories, and everybody sees who edited what', shedsLight);
  await test('the corner tells what requests cost, and opens them in the playground', explains);
}
