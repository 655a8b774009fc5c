// A member of another site, which Agora is a part of, signs in there with OpenID Connect and comes to the forum. The
// last argument is the address of that site.
import { close, equal, live, origin, test } from './site.mjs';

const home = process.argv.at(-1);

await test('issuer', async (open) => {
  const page = await open();
  await page.goto(home);
  await page.locator('input[name=login]').fill('mara');
  await page.locator('input[name=password]').fill('any');
  await page.getByRole('button', { name: /sign-in/i }).click();
  await page.getByRole('button', { name: /continue/i }).click();
  await page.locator('.menu').waitFor();
  page.complaints.length = 0; // those of the provider's pages, which lack fonts and an icon
  equal(new URL(page.url()).origin, new URL(origin).origin, 'where the member is');
  await live(page);
  await page.goto(`${origin}/settings`);
  await page.getByText('@mara-of-the-site').waitFor();
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/issuer.png` });
  const kept = await page.evaluate(() => document.cookie + JSON.stringify(localStorage));
  equal(/agora_\d/.test(kept), false, 'a script can read the token');
  await page.locator('.menu').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
});
await close();
