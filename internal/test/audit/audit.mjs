// Runs the audits of graphql-http against the GraphQL endpoint whose URL is its
// argument. It prints one line per audit and the sum, and exits with 1 unless all
// are ok.
import { serverAudits } from 'graphql-http';

const url = process.argv[2];
if (!url) {
  console.error('usage: node audit.mjs URL');
  process.exit(2);
}

// run returns the audit's result; an exception is an error, too.
async function run({ id, name, fn }) {
  try {
    return await fn();
  } catch (err) {
    return { id, name, status: 'error', reason: String(err.cause ?? err) };
  }
}

// line is "id level outcome text", with the actual response on failure.
async function line({ id, name, status, reason, response }) {
  const [level, ...rest] = name.split(' ');
  const parts = [id, level.padEnd(6), status.padEnd(6), rest.join(' ')];
  if (status !== 'ok') {
    parts.push(`(${reason}${response ? `; got ${await shown(response)}` : ''})`);
  }
  return parts.join(' ');
}

// shown is a response on one line.
async function shown(response) {
  const type = response.headers.get('content-type');
  const body = response.bodyUsed ? '' : await response.text();
  return `${response.status} ${type} ${JSON.stringify(body.slice(0, 300))}`;
}

const results = await Promise.all(serverAudits({ url }).map(run));
for (const result of results) {
  console.log(await line(result));
}
const ok = results.filter(({ status }) => status === 'ok').length;
console.log(`${ok} of ${results.length}`);
if (ok < results.length) {
  process.exitCode = 1;
}
