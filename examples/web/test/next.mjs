// A visitor of a site made with Next.js registers at Agora and votes, through the site. The last argument is the path
// of a topic's page.
import { close, equal, origin, test } from './site.mjs';

await test('next', async (open) => {
  const page = await open();
  await page.goto(origin + process.argv.at(-1));
  await page.getByText('Signed out').waitFor();
  page.complaints.length = 0; // of the icon that the site does not have
  const failed = await page.evaluate(async () => {
    const query = `mutation { register(input: {login: "mara", email: "mara@example.org", password: "a good password",
      cookie: true}) { errors { message } } }`;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch('/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) });
    return (await answer.json()).data.register.errors.length;
  });
  equal(failed, 0, 'errors');
  await page.reload();
  await page.getByText('Signed in as mara').waitFor();
  page.complaints.length = 0;
  await page.locator('[aria-pressed=false]').click();
  await page.locator('[aria-pressed=true]').waitFor();
  await page.reload();
  await page.locator('[aria-pressed=true]').waitFor();
  equal(await page.evaluate(() => document.cookie), '', 'what a script can read');
  page.complaints.length = 0;
});
await close();
