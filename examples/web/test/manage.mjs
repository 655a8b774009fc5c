// What moderators and administrators do with the pages that manage the site.
import { act, ask, dead, equal, live, origin, password, post, reply, shoot, test, tokenOf, until } from './site.mjs';

/** Opens a page that manages the site. */
async function manage(open, login, name) {
  const page = await open({ login });
  await page.goto(`${origin}/manage${name && `/${name}`}`);
  await page.locator('h1').waitFor();
  return page;
}

/** What the server says to a call that it refuses. */
const refusal = (call) => call.then(() => 'not refused', (error) => error.message);

async function rules(open) {
  const page = await manage(open, 'otto-k', 'rules');
  const age = page.getByLabel('Accounts younger than');
  const links = page.getByLabel('Links in a post');
  await age.fill('86400');
  await links.fill('1000');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('newMemberLinks must be a number from -1 to 100.').waitFor();
  await until(page, () => document.activeElement?.getAttribute('name') === 'newMemberLinks');
  await links.fill('0.5');
  await page.getByRole('button', { name: 'Save' }).click();
  await until(page, () => document.querySelector('[name=newMemberLinks] ~ .fault').textContent.includes('0'));
  await links.fill('0');
  await page.getByLabel('Everybody may read it').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The rules have changed.').waitFor();
  const { register } = await ask(`mutation { register(input: {
    login: "fresh", name: "Fresh", email: "fresh@example.org", password: "${password}"
  }) { token } }`);
  const topic = { title: 'My shop', content: 'https://example.org', category: { name: 'Q&A' } };
  const refused = await refusal(post(topic, register.token));
  if (!refused.includes('cannot post so many links')) throw new Error(`a link of a new member: ${refused}`);
  const visitor = await open();
  await visitor.goto(`${origin}/log`);
  await visitor.locator('[data-action="UPDATE_RULES"]').first().waitFor();
  await age.fill('0');
  await links.fill('');
  await page.getByLabel('Everybody may read it').uncheck();
  await page.getByLabel('Who may list the members').selectOption('Moderators');
  await page.getByRole('button', { name: 'Save' }).click();
  await until(page, () => document.querySelectorAll('.toasts p').length > 1);
  const listed = await refusal(ask('{ users(first: 1) { totalCount } }'));
  if (!listed.includes('Sign in first')) throw new Error(`a guest lists the members: ${listed}`);
  await page.getByLabel('Who may list the members').selectOption('Everybody');
  await page.getByRole('button', { name: 'Save' }).click();
  await until(page, () => document.querySelectorAll('.toasts p').length > 2);
  await post(topic, register.token);
}

async function blocklist(open) {
  const page = await manage(open, 'mara.lindqvist', 'blocklist');
  equal(await page.getByRole('link', { name: 'Rules' }).count(), 0, 'links to what only administrators may do');
  const add = page.locator('.panel', { hasText: 'Words' });
  await add.getByLabel('Add words').fill('snake oil\n!');
  await add.getByRole('button', { name: 'Add' }).click();
  await add.getByText('A word needs a letter or a digit.').waitFor();
  await add.getByLabel('Add words').fill('Snake Oil\n\nelixir');
  await add.getByRole('button', { name: 'Add' }).click();
  await add.locator('.members li', { hasText: 'snake oil' }).waitFor();
  const member = await open({ login: 'demo' });
  await member.goto(`${origin}/new`);
  await member.getByLabel('Title').fill('Fresh snake oil');
  await member.getByLabel('Category').selectOption('Q&A');
  await member.getByRole('button', { name: 'Post', exact: true }).click();
  await member.locator('.field .fault', { hasText: 'may not be posted here' }).waitFor();
  await add.getByRole('button', { name: 'Remove snake oil' }).click();
  await add.locator('.members li', { hasText: 'snake oil' }).waitFor({ state: 'detached' });
  await member.getByRole('button', { name: 'Post', exact: true }).click();
  await member.getByRole('heading', { name: 'Fresh snake oil' }).waitFor();
}

/** Sets who sees a category or may do what in it, or without one, on the page of categories, which then says so. */
async function setAccess(page, name, choices, said, groups = []) {
  await page.getByRole('button', { name: `Access to ${name}`, exact: true }).click();
  const dialog = page.getByRole('dialog');
  for (const [label, value] of Object.entries(choices)) await dialog.getByLabel(label).selectOption(value);
  for (const group of groups) await dialog.getByLabel(group).check();
  await shoot(page, `access to ${name}${groups}`);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.locator('.plain li', { hasText: name }).getByText(said).waitFor();
}

/** What an entry of the log shows of a change. */
async function changesOf(entry) {
  await entry.getByText('What changed').click();
  return (await entry.locator('dl').allInnerTexts()).map((text) => text.replaceAll('\n', ' '));
}

async function closes(open) {
  const topic = await post({ title: 'A town by the sea', category: { name: 'Travel' } }, await tokenOf('demo'));
  await reply(topic.id, 'Which one?', await tokenOf('demo'));
  const admin = await manage(open, 'otto-k', '');
  const closed = { 'Who may post': 'Moderators', 'Who may reply and vote': 'Nobody' };
  await setAccess(admin, 'Travel', closed, 'Posts: Moderators · Replies: Nobody');
  const bare = 'topics without a category';
  await setAccess(admin, bare, { 'Who may post': 'Nobody' }, 'Posts: Nobody · Replies: Everybody');
  await shoot(admin, 'access');
  const staff = await manage(open, 'mara.lindqvist', '');
  await staff.getByText('Posts: Moderators · Replies: Nobody').waitFor();
  equal(await staff.getByRole('button', { name: 'Access to' }).count(), 0, 'buttons that only administrators have');

  const member = await open({ login: 'demo' });
  for (const page of [await open(), member]) {
    await page.goto(`${origin}/c/Travel`);
    await page.getByText('Only moderators post here.').waitFor();
    equal(await page.getByRole('link', { name: 'Post here' }).count(), 0, 'links to post there');
    await shoot(page, 'closed category');
    await page.goto(`${origin}/t/${topic.number}`);
    await page.getByText('Nobody replies here.').waitFor();
    equal(await page.getByLabel('Your reply').count(), 0, 'forms to reply');
    equal(await page.getByText('Sign in to reply.').count(), 0, 'offers to sign in to reply');
    const replies = page.locator('.comment').getByRole('button', { name: 'Reply', exact: true });
    equal(await replies.count(), 0, 'buttons to reply to a comment');
    await shoot(page, 'closed topic');
  }
  equal(await member.getByRole('button', { name: /^Vote/, disabled: true }).count(), 4, 'buttons that do not vote');
  await member.goto(`${origin}/new`);
  await member.getByText('Nobody posts without a category.').waitFor();
  equal(await member.getByLabel('Category').locator('option:disabled').allInnerTexts(), ['Travel'], 'what is closed');
  equal(await member.getByRole('link', { name: 'Status' }).count(), 0, 'kinds without a category');
  await shoot(member, 'composer');
  await staff.goto(`${origin}/c/Travel`);
  await staff.getByRole('link', { name: 'Post here' }).click();
  await until(staff, () => document.querySelector('[name=category]')?.value === 'Travel');

  await admin.goto(`${origin}/log`);
  const entry = (name) => admin.locator('[data-action="UPDATE_ACCESS"]', { hasText: name }).last(); // the first of them
  equal(await changesOf(entry('Travel')), [
    'Who may post before Everybody Who may post after Moderators',
    'Who may reply and vote before Everybody Who may reply and vote after Nobody',
  ], 'what has changed');
  await shoot(admin, 'log of access');
  for (const name of [bare, 'Travel']) {
    await entry(name).getByRole('button', { name: 'Undo' }).click();
    await act(admin, 'Undo', {}, 'Open again.');
    await entry(name).getByText('reversed').waitFor();
  }
  await member.goto(`${origin}/t/${topic.number}`);
  await member.getByLabel('Your reply').waitFor();
}

async function hides(open) {
  const topic = await post({ title: 'Where the boat leaves', category: { name: 'Travel' } }, await tokenOf('demo'));
  const admin = await manage(open, 'otto-k', '');
  await setAccess(admin, 'Travel', { 'Who sees it': 'Members' }, 'Seen by: Members');
  await shoot(admin, 'categories with a room');

  const guest = await open();
  for (const [hidden, absent] of [['/c/Travel', '/c/Nowhere'], [`/t/${topic.number}`, '/t/999999999']]) {
    const shown = [];
    for (const path of [absent, hidden]) {
      await guest.goto(origin + path);
      await guest.getByText('There is no such').waitFor();
      shown.push(await guest.locator('main').innerText());
    }
    equal(shown[1], shown[0], `what guests see at ${hidden}`);
  }
  const links = (page) => page.locator('.side-nav').getByRole('link', { name: 'Travel' });
  await guest.locator('.side-nav').getByRole('link', { name: 'Cooking' }).waitFor();
  equal(await links(guest).count(), 0, 'links of guests to the category');
  await shoot(guest, 'no such topic');

  const member = await open({ login: 'demo' });
  const lock = { name: 'Members only' };
  await member.goto(`${origin}/c/Travel`);
  await member.getByRole('heading', { name: 'Travel Members only' }).getByRole('img', lock).waitFor();
  await links(member).getByRole('img', lock).waitFor();
  await member.getByRole('link', { name: 'Where the boat leaves' }).waitFor();
  await shoot(member, 'room');
  await member.goto(`${origin}/t/${topic.number}`);
  await member.locator('.topic').getByRole('img', lock).waitFor();
  await member.getByLabel('Your reply').waitFor();
  await shoot(member, 'topic of a room');

  await admin.goto(`${origin}/log`);
  const entry = admin.locator('[data-action="UPDATE_ACCESS"]', { hasText: 'Travel' }).first();
  equal(await changesOf(entry), ['Who sees it before Everybody Who sees it after Members'], 'what has changed');
  await shoot(admin, 'log of a room');
  await entry.getByRole('button', { name: 'Undo' }).click();
  await act(admin, 'Undo', {}, 'For everybody again.');
  await guest.goto(`${origin}/t/${topic.number}`);
  await guest.getByRole('heading', { name: 'Where the boat leaves' }).waitFor();
}

/** Adds somebody to the members or managers of a group, in its dialog. */
async function add(dialog, to, login, until = '') {
  const form = dialog.locator('form', { hasText: `Add to ${to}` });
  await form.getByLabel(`Add to ${to}`).fill(login);
  if (until) await form.getByLabel('Until').fill(until);
  await form.getByRole('button', { name: 'Add' }).click();
}

async function groups(open) {
  const topic = await post({ title: 'The key of the cabin', category: { name: 'Travel' } }, await tokenOf('demo'));
  const admin = await manage(open, 'otto-k', 'groups');
  await admin.getByLabel('New group').fill('Hikers');
  await admin.getByLabel('Description').fill('Who walks in the mountains');
  await admin.getByRole('button', { name: 'Create' }).click();
  await admin.getByRole('button', { name: 'Members of Hikers' }).click();
  const dialog = admin.getByRole('dialog');
  await add(dialog, 'members', 'nobody-at-all');
  await dialog.locator('.field .fault:not(:empty)').waitFor();
  await add(dialog, 'members', 'demo', '2001-01-01');
  await dialog.locator('.field .fault', { hasText: 'later than now' }).waitFor();
  await add(dialog, 'members', 'demo', '2999-12-31');
  await dialog.getByText('until 12/31/2999').waitFor();
  await add(dialog, 'managers', 'demo');
  await until(admin, () => document.querySelectorAll('dialog[open] .members li').length === 2);
  await shoot(admin, 'members of a group');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await admin.locator('.plain li', { hasText: 'Hikers' }).getByText('1 member', { exact: true }).waitFor();
  await shoot(admin, 'groups');
  await admin.getByRole('link', { name: 'Categories' }).click();
  await setAccess(admin, 'Travel', { 'Who sees it': 'Groups' }, 'Seen by: Hikers', ['Hikers']);

  const other = await open({ login: 'mara.lindqvist' });
  await other.goto(`${origin}/t/${topic.number}`);
  await other.getByText('There is no such').waitFor();
  const member = await manage(open, 'demo', 'groups');
  await member.getByRole('button', { name: 'Members of Hikers' }).waitFor();
  equal(await member.getByRole('button', { name: 'Delete Hikers' }).count(), 0, 'buttons that delete for managers');
  await shoot(member, 'groups of a manager');
  await member.goto(`${origin}/t/${topic.number}`);
  await member.locator('.topic').getByRole('img', { name: 'Only for groups' }).waitFor();

  await admin.goto(`${origin}/log`);
  const entry = admin.locator('[data-action="UPDATE_ACCESS"]', { hasText: 'Travel' }).first();
  equal(await changesOf(entry), [
    'Who sees it before Everybody Who sees it after Groups', 'Groups before empty Groups after Hikers',
  ], 'what has changed');
  await entry.getByRole('button', { name: 'Undo' }).click();
  await act(admin, 'Undo', {}, 'For everybody again.');
  await other.goto(`${origin}/t/${topic.number}`);
  await other.getByRole('heading', { name: 'The key of the cabin' }).waitFor();
  await admin.goto(`${origin}/manage/groups`);
  await admin.getByRole('button', { name: 'Delete Hikers' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await admin.locator('.plain li', { hasText: 'Hikers' }).waitFor({ state: 'detached' });
}

async function tabs(open) {
  const page = await manage(open, 'mara.lindqvist', 'tabs');
  const shown = page.locator('.side-nav .tabs a');
  const create = page.locator('form', { hasText: 'New tab' });
  await create.getByLabel('New tab').fill('Tech');
  await create.getByRole('button', { name: 'Create' }).click();
  await create.locator('.field .fault:not(:empty)').waitFor();
  await create.getByLabel('New tab').fill('Outdoors');
  await create.getByLabel('Travel').check();
  await create.getByRole('button', { name: 'Create' }).click();
  await shown.filter({ hasText: 'Outdoors' }).waitFor();
  await page.getByRole('button', { name: 'Edit Outdoors' }).click();
  const edit = page.locator('form', { hasText: 'Save' });
  await edit.getByLabel('Name').fill('Out and about');
  await edit.getByLabel('Position').fill('-1');
  await edit.getByLabel('Cooking').check();
  await edit.getByLabel('Travel').uncheck();
  await edit.getByRole('button', { name: 'Save' }).click();
  await until(page, () => document.querySelector('.side-nav .tabs a').textContent === 'Out and about');
  equal(await page.locator('.plain li', { hasText: 'Out and about' }).locator('.chip').allInnerTexts(), ['Cooking'],
    'the categories of the tab');
  await page.getByRole('button', { name: 'Delete Out and about' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await shown.filter({ hasText: 'Out and about' }).waitFor({ state: 'detached' });
}

async function team(open) {
  const page = await manage(open, 'otto-k', 'team');
  const travel = page.locator('[data-category="Travel"]');
  await travel.getByRole('button', { name: 'Appoint a moderator of Travel' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Member').fill('nobody-at-all');
  await dialog.getByRole('button', { name: 'Appoint' }).click();
  await dialog.getByText('There is no such member.').waitFor();
  await dialog.getByLabel('Member').fill('otto-k');
  await dialog.getByRole('button', { name: 'Appoint' }).click();
  await dialog.getByText('You cannot do this to yourself.').waitFor();
  await dialog.getByLabel('Member').fill('@demo');
  await act(page, 'Appoint', {}, 'Welcome.');
  await travel.getByRole('link', { name: 'demo' }).waitFor();
  const moderates = async () => (await ask('{ viewer { moderates { name } } }', {}, await tokenOf('demo'))).viewer;
  equal(await moderates(), { moderates: [{ name: 'Travel' }] }, 'what the member moderates');
  await travel.getByRole('button', { name: 'Dismiss demo from Travel' }).click();
  await act(page, 'Dismiss', {}, 'Thank you.');
  await travel.getByRole('link', { name: 'demo' }).waitFor({ state: 'detached' });
  equal(await moderates(), { moderates: [] }, 'what the member moderates then');

  await page.getByLabel('Member').fill('demo');
  await page.getByRole('button', { name: 'Open' }).click();
  for (const [role, shown] of [['MODERATOR', 1], ['USER', 0]]) {
    await page.getByRole('button', { name: 'Role', exact: true }).click();
    await act(page, 'Change', { Role: role }, '');
    await until(page, (n) => document.querySelectorAll('.profile h1 .role').length === n, shown);
  }
}

async function spammer(open) {
  const topic = await post({ title: 'Light for a tent', category: { name: 'Travel' } }, await tokenOf('demo'));
  const { register } = await ask(`mutation { register(input: {
    login: "hawker", name: "Hawker", email: "hawker@example.org", password: "${password}"
  }) { token } }`);
  await post({ title: 'Cheap lamps', category: { name: 'Travel' } }, register.token);
  await reply(topic.id, 'Buy my lamps!', register.token);
  const reader = await open();
  await reader.goto(`${origin}/t/${topic.number}`);
  await reader.getByText('Buy my lamps!').waitFor();
  await live(reader);
  const page = await open({ login: 'mara.lindqvist' });
  await page.goto(`${origin}/u/hawker`);
  await page.getByRole('button', { name: 'Hide posts' }).click();
  await act(page, 'Hide', { Posts: 'all', Reason: 'SPAM' }, 'Lamps everywhere.');
  await page.getByText('2 posts will be hidden within seconds.').waitFor();
  await reader.getByText('This comment was hidden.').waitFor();
  await page.goto(`${origin}/log`);
  const entry = page.locator('[data-action="HIDE_POSTS"]', { hasText: 'hawker' });
  await entry.getByText('2 in all').waitFor();
  await entry.getByRole('button', { name: 'Undo' }).click();
  await act(page, 'Undo', {}, 'They do light tents.');
  await entry.getByText('reversed').waitFor();
  await reader.getByText('Buy my lamps!').waitFor();
}

/** Sets who may register. */
async function letIn(page, mode) {
  await page.goto(`${origin}/manage/rules`);
  await page.getByLabel('Who may register').selectOption(mode);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The rules have changed.').waitFor();
}

/** Opens the page where one registers, and fills it. */
async function register(open, place, login, more = {}) {
  const page = await open();
  await page.goto(`${origin}${place}`);
  for (const [label, value] of Object.entries({
    Login: login, 'E-mail': `${login}@example.org`, Password: password, ...more,
  })) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole('button', { name: 'Create account' }).click();
  return page;
}

async function signIn(page, login) {
  await page.goto(`${origin}/login`);
  await page.getByLabel('Login or e-mail').fill(login);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function applications(open) {
  const admin = await manage(open, 'otto-k', 'rules');
  await letIn(admin, 'APPROVAL');
  const why = { 'Why would you like to join?': 'I collect teapots.' };
  const page = await register(open, '/register', 'newt', why);
  await page.getByText('once it is approved').waitFor();
  await signIn(page, 'newt');
  await page.getByText('have not approved your account').waitFor();
  await register(open, '/register', 'shady', why).then((shady) => shady.getByText('once it is approved').waitFor());

  const mara = await manage(open, 'mara.lindqvist', 'applications');
  await mara.getByText('I collect teapots.').first().waitFor();
  await mara.getByRole('button', { name: 'Approve newt' }).click();
  await mara.getByText('newt can sign in now.').waitFor();
  await mara.getByRole('button', { name: 'Reject shady' }).click();
  await mara.getByLabel('Note').fill('No shops.');
  await mara.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await mara.getByText('Nobody waits.').waitFor();
  await mara.getByRole('link', { name: 'Rejected' }).click();
  await mara.getByText('No shops.').waitFor();
  await signIn(page, 'newt');
  await page.locator('.menu').waitFor();
  const refused = await open();
  await signIn(refused, 'shady');
  await refused.getByText('have rejected your account').waitFor();
}

async function invitations(open) {
  const admin = await manage(open, 'otto-k', 'rules');
  await letIn(admin, 'INVITE');
  await admin.goto(`${origin}/settings`);
  await admin.getByLabel('Remark').fill('for my sister');
  await admin.getByRole('button', { name: 'Invite' }).click();
  await admin.getByText('for my sister').waitFor();
  const link = await admin.locator('a[href^="/register?invitation="]').first().getAttribute('href');
  const guest = await register(open, link, 'sister');
  await guest.locator('.menu').waitFor();
  await admin.reload();
  await admin.getByRole('button', { name: 'Invite' }).waitFor();
  if (await admin.getByText('for my sister').count()) throw new Error('an invitation that is used up is listed');
  await letIn(admin, 'CLOSED');
  const late = await open();
  await late.goto(`${origin}/register`);
  await late.getByText('Nobody can register').waitFor();
  await letIn(admin, 'OPEN');
}

async function tasks(open) {
  await dead();
  const page = await manage(open, 'otto-k', 'tasks');
  const task = page.locator('[data-task="n:t131853"]');
  await task.getByText('out of luck').waitFor();
  await task.getByRole('button', { name: 'Retry' }).click();
  await page.getByText('1 task will be tried again.').waitFor();
  await page.getByText('Nothing was given up.').waitFor();
  await page.getByText(/, 0 given up$/).waitFor();
}

export async function managing() {
  await test('an administrator changes rules, with faults beside their fields, and they hold', rules);
  await test('a moderator adds words to the blocklist, and a post with one is refused', blocklist);
  await test('an administrator closes a category, where members then cannot post, reply or vote', closes);
  await test('an administrator hides a category from guests, and members see it with a lock', hides);
  await test('an administrator makes a group, whose members alone see a category', groups);
  await test('a moderator makes, changes and deletes a tab, which the navigation follows', tabs);
  await test('an administrator appoints and dismisses a moderator, and changes a role', team);
  await test('a moderator hides all posts of a spammer, and undoes it in the log', spammer);
  await test('who registers waits for approval, and is approved or rejected', applications);
  await test('who is invited registers, and nobody once registration is closed', invitations);
  await test('an administrator sees why a task was given up, and retries it', tasks);
}
