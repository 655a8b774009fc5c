// Makes the npm package: JavaScript with types, instead of the TypeScript that front ends beside it use.
//
//   node pack.mjs [FOLDER [VERSION]]
//
// It prints the name of the file, which it writes to FOLDER, the present one if left out. The compiler, and the packages
// whose types are used, are those of examples/web, where it installs them unless they are there.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [folder = '.', version] = process.argv.slice(2);
const here = import.meta.dirname;
const web = join(here, '../../examples/web');
const tsc = join(web, 'node_modules/typescript/bin/tsc');
const run = (cwd, program, ...args) => execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 2] });

if (!existsSync(tsc)) run(web, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
// Beside the packages, where the compiler finds them.
const made = mkdtempSync(join(web, 'node_modules/.client-'));
try {
  const [sources, dist] = [join(made, 'src'), join(made, 'dist')];
  for (const name of ['src', 'README.md', 'codegen.mjs']) cpSync(join(here, name), join(made, name), { recursive: true });
  cpSync(join(here, '../../LICENSE'), join(made, 'LICENSE'));
  const common = ['--ignoreConfig', '--declaration', '--target', 'ES2022', '--outDir', dist];
  run(made, 'node', tsc, ...common, '--strict', '--lib', 'ES2023,DOM,DOM.Iterable', '--module', 'ESNext',
    '--moduleResolution', 'bundler', '--rewriteRelativeImportExtensions', '--verbatimModuleSyntax', '--skipLibCheck',
    '--types', '', '--rootDir', sources, ...readdirSync(sources).map((name) => join(sources, name)));
  run(made, 'node', tsc, ...common, '--allowJs', '--emitDeclarationOnly', '--types', '', join(made, 'codegen.mjs'));

  const { private: _, ...about } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
  // Node.js takes the first that applies, so that default is the last.
  const compiled = (file) => (file.endsWith('.mjs')
    ? { types: file.replace('./', './dist/').replace('.mjs', '.d.mts'), default: file }
    : { types: file.replace('/src/', '/dist/').replace('.ts', '.d.ts'), default: file.replace('/src/', '/dist/').replace('.ts', '.js') });
  writeFileSync(join(made, 'package.json'), `${JSON.stringify({
    ...about,
    version: version ?? about.version,
    files: ['dist', 'codegen.mjs'],
    exports: Object.fromEntries(Object.entries(about.exports).map(([name, file]) => [name, compiled(file)])),
  }, null, 2)}\n`);
  process.stdout.write(run(made, 'npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', resolve(folder)));
} finally {
  rmSync(made, { recursive: true, force: true });
}
