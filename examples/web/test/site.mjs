// What the tests of the application have in common: a browser, pages that must not complain, and requests beside them.
import { chromium } from 'playwright-core';

const [, , origin, direct, control, executablePath, password] = process.argv;
export { origin, password };

/** How long a browser on a busy machine may take for one step, in milliseconds. */
const patience = 40_000;

const flags = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];
const browser = await chromium.launch({ executablePath, args: flags, timeout: patience });

/** Breaks the connection of all browsers to the server, or mends it. */
export const cut = () => fetch(`${control}/cut`, { method: 'POST' });
export const mend = () => fetch(`${control}/mend`, { method: 'POST' });

/** Adds a background task that was given up. */
export const dead = () => fetch(`${control}/dead`, { method: 'POST' });

/** Runs an operation at the server itself, whatever has happened to the connection of the browsers. */
export async function ask(query, variables, token) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const body = JSON.stringify({ query, variables });
  const answer = await fetch(`${direct}/graphql`, { method: 'POST', headers, body });
  const { data, errors } = await answer.json();
  const failed = errors ?? Object.values(data).flatMap((payload) => payload?.errors ?? []);
  if (failed.length) throw new Error(`${query}: ${JSON.stringify(failed)}`);
  return data;
}

/** Signs in beside the browsers. */
export async function tokenOf(identifier) {
  const query = 'mutation($input: LoginInput!) { login(input: $input) { token errors { message } } }';
  return (await ask(query, { input: { identifier, password } })).login.token;
}

export async function reply(topicId, content, token, parentId) {
  const query = `mutation($input: CreateCommentInput!) {
    createComment(input: $input) { comment { id number } errors { message } }
  }`;
  return (await ask(query, { input: { topicId, content, parentId } }, token)).createComment.comment;
}

export async function post(input, token) {
  const query = `mutation($input: CreateTopicInput!) {
    createTopic(input: $input) { topic { id number } errors { message } }
  }`;
  return (await ask(query, { input }, token)).createTopic.topic;
}

/** Windows that no test uses. A new one costs the browser as much as some ten pages do. */
const idle = [];

/** Returns a window for a visitor, or an account that is signed in. */
async function take({ login, ...options }) {
  const kind = JSON.stringify([login, options]);
  const i = idle.findIndex((window) => window.kind === kind);
  if (i >= 0) return idle.splice(i, 1)[0];
  const usual = { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' };
  const context = await browser.newContext({ ...usual, ...options });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  page.complaints = [];
  page.on('pageerror', (error) => page.complaints.push(error.stack));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) page.complaints.push(message.text());
  });
  if (login) {
    await page.goto(`${origin}/login`);
    await page.getByRole('button', { name: login }).click();
    await page.locator('.menu').waitFor();
  }
  return { kind, login, context, page };
}

/** Leaves the page of a window, and forgets what a visitor's browser has stored. */
async function put(window) {
  const { login, context, page } = window;
  await page.unrouteAll();
  if (!login) await page.evaluate(() => localStorage.clear());
  await page.goto('about:blank');
  if (!login) await context.clearCookies();
  page.complaints.length = 0;
  idle.push(window);
}

/** Runs a test; `open` opens a window for it. It fails if a page complains. */
export async function test(name, run) {
  const windows = [];
  async function open(options = {}) {
    const window = await take(options);
    windows.push(window);
    return window.page;
  }
  try {
    await run(open);
    const complaints = windows.flatMap(({ page }) => page.complaints);
    if (complaints.length) throw new Error(`the page complains: ${complaints.join('; ')}`);
    console.log(`ok ${name}`);
    await Promise.all(windows.map(put));
  } catch (error) {
    for (const [i, { page }] of windows.entries()) {
      if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}-${i}.png` });
    }
    console.log(`failed ${name}: ${String(error.stack ?? error).replaceAll('\n', ' | ')}`);
    await Promise.all(windows.map(({ context }) => context.close()));
  }
}

/** Waits until a condition in the page is true. */
export const until = (page, condition, value) => page.waitForFunction(condition, value, { timeout: patience });

/** Waits until the page has a connection for live updates. */
export const live = (page) => until(page, () => document.documentElement.dataset.live === 'open');

/** Fills in the dialog that asks for a reason. */
export async function act(page, button, choices, note) {
  const dialog = page.getByRole('dialog');
  for (const [label, value] of Object.entries(choices)) await dialog.getByLabel(label).selectOption(value);
  await dialog.getByLabel('Note').fill(note);
  await dialog.getByRole('button', { name: button, exact: true }).click();
  await until(page, () => !document.querySelector('dialog[open]'));
}

/** Takes pictures of a page on wide and on narrow screens, if there is a directory for them. */
export async function shoot(page, name) {
  if (!process.env.PICTURES) return;
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${process.env.PICTURES}/${name}-${width}.png`, fullPage: true });
  }
}

export function equal(got, want, what) {
  if (JSON.stringify(got) !== JSON.stringify(want)) {
    throw new Error(`${what}: ${JSON.stringify(got)}; want ${JSON.stringify(want)}`);
  }
}

export const close = () => browser.close();
