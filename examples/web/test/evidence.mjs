// What moderators see of what was reported, whatever became of it, and of what other moderators did.
import { act, ask, equal, origin, password, post, reply, shoot, test, tokenOf } from './site.mjs';

/** Changes something with a mutation that takes one input. */
const change = (name, type, input, token) => (
  ask(`mutation($input: ${type}Input!) { ${name}(input: $input) { errors { message } } }`, { input }, token)
);
const report = (subjectId, token) => change('report', 'Report', { subjectId, reason: 'ABUSE' }, token);

/** A member who writes what others report, and their token. */
async function member(login) {
  const { register } = await ask(`mutation { register(input: {
    login: "${login}", email: "${login}@example.org", password: "${password}"
  }) { token viewer { user { id } } errors { message } } }`);
  return { token: register.token, id: register.viewer.user.id };
}

/** The words of a case that are marked, before and after. */
const marked = async (of) => [await of.locator('del').allInnerTexts(), await of.locator('ins').allInnerTexts()];

async function edited(open) {
  const [demo, bully] = [await tokenOf('demo'), await member('bully')];
  const topic = await post({ title: 'Pots', content: 'Which one?', category: { name: 'Cooking' } }, demo);
  const [rude, gone, chinese] = [
    await reply(topic.id, 'you fool, take cast iron', bully.token), await reply(topic.id, 'you liar', bully.token),
    await reply(topic.id, '你是个骗子', bully.token),
  ];
  await change('updateProfile', 'UpdateProfile', { name: 'Kill demo', bio: 'I hate demo.' }, bully.token);
  for (const id of [rude.id, gone.id, chinese.id, bully.id]) await report(id, demo);
  for (const [{ id: commentId }, content] of [[rude, 'my friend, take cast iron'], [chinese, '你是个朋友']]) {
    await change('updateComment', 'UpdateComment', { commentId, content }, bully.token);
  }
  await change('deleteComment', 'DeleteComment', { commentId: gone.id }, bully.token);
  await change('updateProfile', 'UpdateProfile', { name: 'Bully', bio: '' }, bully.token);

  const page = await open({ login: 'mara.lindqvist' });
  await page.goto(`${origin}/queue`);
  const of = (id) => page.locator(`.case[data-subject="${id}"]`);
  await of(rude.id).getByText('you fool, take cast iron').waitFor();
  equal(await marked(of(rude.id)), [['you', 'fool'], ['my', 'friend']], 'what was edited');
  equal((await marked(of(chinese.id)))[1].join(''), '朋友', 'what was edited without spaces');
  await of(gone.id).getByText('you liar').waitFor();
  await of(gone.id).getByText('deleted since').first().waitFor();
  await of(gone.id).getByText('bully').first().waitFor();
  await of(bully.id).getByText('Kill demo').waitFor();
  await of(bully.id).getByText('I hate demo.').waitFor();
  await shoot(page, 'queue');

  await of(rude.id).getByRole('button', { name: 'Moderate' }).click();
  await act(page, 'Act', { Action: 'LOCK' }, '');
  await page.goto(`${origin}/log?user=bully`);
  const entry = page.locator('[data-action="LOCK"]');
  await entry.getByText('What is kept of it').click();
  await entry.getByText('you fool, take cast iron').waitFor();
  await entry.getByText('unchanged since').waitFor();
  await shoot(page, 'log');
}

async function ofCategory(open) {
  const [otto, cook, demo] = [await tokenOf('otto-k'), await member('cook'), await tokenOf('demo')];
  const input = { category: { name: 'Travel' }, add: [cook.id], reason: 'OTHER' };
  await change('setCategoryModerators', 'SetCategoryModerators', input, otto);
  const reported = {};
  for (const name of ['Travel', 'Games']) {
    const topic = await post({ title: `Rude in ${name}`, content: 'you ape', category: { name } }, otto);
    await report(topic.id, demo);
    await change('updateTopic', 'UpdateTopic', { topicId: topic.id, content: 'you friend' }, otto);
    reported[name] = topic.id;
  }
  const page = await open();
  await page.goto(`${origin}/login?next=/queue`);
  await page.getByLabel('Login or e-mail').fill('cook');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('.case', { hasText: 'Rude in Travel' }).getByText('you ape').waitFor();
  equal(await page.locator('.case', { hasText: 'Rude in Games' }).count(), 0, 'cases of other categories');
  await page.locator('.menu').click();
  await page.getByRole('link', { name: 'Reports' }).waitFor();
  await page.goto(`${origin}/history/${reported.Travel}`);
  await page.getByText('What is kept of it').click();
  await page.locator('.copy').getByText('you ape').waitFor();
}

async function erased(open) {
  const [demo, bully] = [await tokenOf('demo'), await member('bully2')];
  const topic = await post({ title: 'Pans', content: 'Which one?', category: { name: 'Cooking' } }, demo);
  const rude = await reply(topic.id, 'you rascal', bully.token);
  for (const id of [rude.id, bully.id]) await report(id, demo);
  await change('deleteUser', 'DeleteUser', { userId: bully.id, content: 'ERASE' }, await tokenOf('otto-k'));
  const page = await open({ login: 'mara.lindqvist' });
  await page.goto(`${origin}/queue`);
  const of = (id) => page.locator(`.case[data-subject="${id}"]`);
  for (let gone = 0; !gone;) { // the posts are erased in the background
    await page.reload();
    await of(rude.id).getByText('As it was reported').waitFor();
    gone = await of(rude.id).getByText('deleted since').count();
  }
  for (const id of [rude.id, bully.id]) {
    await of(id).getByText('former member').first().waitFor();
    await of(id).getByText('deleted since').waitFor();
  }
  await of(rude.id).getByText('you rascal').waitFor();
  await shoot(page, 'queue-erased');
}

async function effects(open) {
  const otto = await tokenOf('otto-k');
  await change('updateRules', 'UpdateRules', { newMemberLinks: 3 }, otto);
  await change('updateCategory', 'UpdateCategory', { category: { name: 'Games' }, description: 'Board games' }, otto);
  const page = await open({ login: 'otto-k' });
  await page.goto(`${origin}/log`);
  const rules = page.locator('[data-action="UPDATE_RULES"]').first();
  await rules.getByText('What changed').click();
  await rules.getByText('newMemberLinks after').waitFor();
  const category = page.locator('[data-action="UPDATE_CATEGORY"]').first();
  await category.getByRole('link', { name: 'Games' }).waitFor();
  await category.getByText('What changed').click();
  await category.getByText('Board games', { exact: true }).waitFor();
  await shoot(page, 'log-effects');
  await change('updateRules', 'UpdateRules', { newMemberLinks: -1 }, otto);
}

export async function evidence() {
  await test('a moderator sees what was reported beside what is there now', edited);
  await test('who moderates one category sees what was reported there', ofCategory);
  await test('what was reported and is erased has an end', erased);
  await test('the log tells what was changed', effects);
}
