// Shows that mistakes are found by graphql-codegen and tsc: it makes each in a copy of the sources.
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

/** Makes a mistake in a file, and expects that a program finds it. */
function mistake(name, file, [right, wrong], [program, ...args], says) {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(right)) throw new Error(`${file} does not have ${right}`);
  writeFileSync(path, text.replace(right, wrong));
  const { failed, output } = run(program, ...args);
  writeFileSync(path, text);
  console.log(failed && output.includes(says) ? `ok ${name}` : `failed ${name}: ${output}`);
}

try {
  const made = run('graphql-codegen', '--silent');
  if (made.failed) throw new Error(made.output);
  const sound = run('tsc');
  if (sound.failed) throw new Error(sound.output);
  mistake('a field that the schema does not have', 'src/site.graphql', ['topicCount', 'topicSum'],
    ['graphql-codegen'], 'topicSum');
  mistake('a field that was not selected', 'src/pages/topic.tsx', ['topic.clickCount', 'topic.voters'],
    ['tsc'], "'voters' does not exist");
  mistake('a variable of the wrong type', 'src/pages/topic.tsx', ['{ ids: [topic.id] }', '{ ids: [topic.number] }'],
    ['tsc'], "'number' is not assignable to type 'string'");
} finally {
  rmSync(root, { recursive: true, force: true });
}
