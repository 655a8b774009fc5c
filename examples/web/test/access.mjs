// That everybody can use the application: axe-core finds nothing serious, and the keyboard is enough.
import axe from 'axe-core';
import { equal, origin, test, until } from './site.mjs';

const visits = [
  [{}, '/', '/t/131853', '/login'], [{ colorScheme: 'dark' }, '/', '/t/131853', '/register'],
  [{ viewport: { width: 390, height: 844 } }, '/'],
];
const member = [
  '/home', '/notifications', '/lists', '/bookmarks', '/settings', '/new', '/manage', '/manage/tabs',
  '/manage/applications', '/manage/blocklist', '/manage/groups', '/manage/team', '/manage/rules', '/manage/tasks',
  '/u/demo', '/day', '/queue', '/log',
];

/** Waits until the page shows what it is about, and returns what axe-core finds serious. */
async function findings(page, path) {
  await page.goto(origin + path);
  await page.locator('h1').waitFor();
  await until(page, () => !document.querySelector('.skeletons'));
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ['violations'] }));
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${path}: ${id}: ${nodes.map((node) => node.html).slice(0, 3).join(' ')}`);
}

async function sound(open) {
  const found = [];
  for (const [options, ...paths] of visits) {
    const page = await open(options);
    for (const path of paths) found.push(...await findings(page, path));
  }
  const page = await open({ login: 'otto-k' });
  for (const path of member) found.push(...await findings(page, path));
  await page.locator('.inspector .bar button').first().click();
  found.push(...await findings(page, '/t/131853'));
  equal(found, [], 'findings of axe-core');
}

async function byKeyboard(open) {
  const page = await open();
  await page.goto(origin);
  await page.locator('.row').first().waitFor();
  await page.keyboard.press('Tab');
  equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to content', 'the first stop');
  await page.keyboard.press('Enter');
  await until(page, () => location.hash === '#main');
  await page.locator('.row h2 a').first().focus();
  await page.keyboard.press('Enter');
  await until(page, () => location.pathname.startsWith('/t/') && document.activeElement.id === 'main');
  await page.getByRole('button', { name: /Vote up/ }).first().focus();
  await page.keyboard.press('Space');
  await until(page, () => location.pathname === '/login');
}

export async function access() {
  await test('axe-core finds nothing serious', sound);
  await test('the keyboard is enough', byKeyboard);
}
