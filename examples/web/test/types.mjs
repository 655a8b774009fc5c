// Shows that mistakes are found by graphql-codegen and tsc: it makes them in a copy of the sources, with the types that
// the build has generated.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = mkdtempSync(join(tmpdir(), 'agora-types-'));
const copy = join(root, 'examples/web');
for (const file of ['src', 'package.json', 'tsconfig.json', 'codegen.ts']) {
  cpSync(file, join(copy, file), { recursive: true });
}
cpSync('../../clients/typescript', join(root, 'clients/typescript'), { recursive: true });
cpSync('../../schema.graphqls', join(root, 'schema.graphqls'));
symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));

/** Runs a program in the copy, and returns what it says; `failed` reports whether it failed. */
function run(program, ...args) {
  try {
    const options = { cwd: copy, encoding: 'utf8', stdio: 'pipe' };
    const output = execFileSync(join('node_modules/.bin', program), args, options);
    return { failed: false, output };
  } catch (error) {
    return { failed: true, output: String(error.stdout) + String(error.stderr) };
  }
}

/** Makes mistakes in a file, and expects that a program finds them all. */
function expect([program, ...args], file, mistakes) {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  let wrong = text;
  for (const { from, to } of mistakes) {
    if (!wrong.includes(from)) throw new Error(`${file} does not have ${from}`);
    wrong = wrong.replace(from, to);
  }
  writeFileSync(path, wrong);
  const { failed, output } = run(program, ...args);
  writeFileSync(path, text);
  for (const { name, says } of mistakes) {
    console.log(failed && output.includes(says) ? `ok ${name}` : `failed ${name}: ${output}`);
  }
}

try {
  expect(['tsc'], 'src/pages/topic.tsx', [
    {
      name: 'a field that was not selected', from: 'topic.clickCount', to: 'topic.voters',
      says: "'voters' does not exist",
    },
    {
      name: 'a variable of the wrong type', from: '{ ids: [topic.id] }', to: '{ ids: [topic.number] }',
      says: "'number' is not assignable to type 'string'",
    },
  ]);
  expect(['graphql-codegen'], 'src/site.graphql', [
    { name: 'a field that the schema does not have', from: 'topicCount', to: 'topicSum', says: 'topicSum' },
  ]);
} finally {
  rmSync(root, { recursive: true, force: true });
}
