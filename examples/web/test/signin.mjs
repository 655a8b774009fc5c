// How members of another site sign in on that site's page, and come back. The last argument is `off` for a site without
// passwords, `mixed` for one that has both.
import { close, equal, origin, password, shoot, test, until } from './site.mjs';

/** Opens the page where one signs in, goes to that of the site, and comes back as a moderator. */
async function through(open, path, how) {
  const page = await open();
  await page.goto(origin + path);
  await page.getByRole('button', { name: /^Continue to / }).click();
  await page.getByRole('heading', { name: 'The site' }).waitFor();
  equal(new URL(page.url()).searchParams.get('from'), 'forum', 'what the address of the page has of its own');
  await page.getByText(how).click();
  await page.locator('.menu').waitFor();
  return page;
}

async function byToken(open) {
  const page = await through(open, '/login?next=/queue', 'With the token');
  await page.getByRole('heading', { name: 'Reports' }).waitFor();
  await page.getByText('Nothing waits.').waitFor();
  equal(page.url(), `${origin}/queue`, 'the address');
  const kept = await page.evaluate(() => document.cookie + JSON.stringify([localStorage, sessionStorage]));
  equal(/eyJ/.test(kept), false, 'a script can read the token');
  await page.goBack();
  equal(/token/.test(page.url()), false, 'the history has the token');
  await page.goto(origin);
  await page.locator('.row').first().waitFor();
  equal(await page.locator('.inspector').count(), 0, 'the costs, which are for the demo');
  await page.goto(`${origin}/login`);
  await until(page, () => location.pathname === '/');
}

async function byCookie(open) {
  const page = await through(open, '/queue', 'With the cookie');
  await page.getByRole('heading', { name: 'Reports' }).waitFor();
  equal(page.url(), `${origin}/queue`, 'the address');
}

async function noPassword(open) {
  const page = await open();
  for (const path of ['/login', '/register', '/queue', '/settings', '/new']) {
    await page.goto(origin + path);
    await page.getByRole('button', { name: /^Continue to / }).waitFor();
    equal(await page.locator('input').count(), 0, `fields at ${path}`);
  }
  await page.goto(`${origin}/login`);
  await page.getByRole('button', { name: /^Continue to / }).waitFor();
  await shoot(page, 'login-off');
}

/** A link of somebody else neither signs in nor leads anywhere else. */
async function forged(open) {
  const page = await through(open, '/login?next=/log', 'With the token');
  await page.locator('.menu').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  for (const state of ['', '&state=', '&state=guessed']) {
    await page.goto('about:blank');
    await page.goto(`${origin}/login?next=/${state}#token=eyJhbGciOiJIUzI1NiJ9.e30.AA`);
    await page.getByText('This tab did not ask for that link.').waitFor();
    equal(new URL(page.url()).hash, '', 'what is left of the token');
  }
  for (const next of [
    'https://evil.example/', '//evil.example', '/\\evil.example', '/.//evil.example', 'javascript:alert(1)', 'http://[',
  ]) {
    await page.goto(`${origin}/login?next=${encodeURIComponent(next)}`);
    await page.getByRole('button', { name: /^Continue to / }).click();
    await page.getByRole('heading', { name: 'The site' }).waitFor();
    const back = new URL(new URL(page.url()).searchParams.get('return'));
    equal(back.origin + back.pathname, `${origin}/login`, 'where the site leads back to');
    equal(new URL(back.searchParams.get('next')).origin, origin, `where ${next} leads`);
  }
}

async function mixed(open) {
  const page = await open();
  await page.goto(`${origin}/login`);
  await page.getByRole('button', { name: /^Continue to / }).waitFor();
  await shoot(page, 'login-mixed');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Login').waitFor();
  await page.getByRole('link', { name: 'Sign in' }).last().click();
  await page.getByLabel('Login or e-mail').fill('demo');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('.menu').waitFor();
}

if (process.argv.at(-1) === 'off') {
  await test('a moderator comes back to the queue with a token', byToken);
  await test('a moderator comes back to the queue with a cookie', byCookie);
  await test('nothing asks for a password', noPassword);
  await test('links of others lead nowhere', forged);
} else {
  await test('the page of the site stands beside the form', mixed);
}
await close();
