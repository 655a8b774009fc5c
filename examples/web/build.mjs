// Builds the application: types from the schema, the check of all types, the files for the server. An argument names
// another directory for these.
import { execFileSync } from 'node:child_process';

const run = (program, ...args) => execFileSync(`node_modules/.bin/${program}`, args, { stdio: 'inherit' });
const to = process.argv[2] ?? '../../internal/httpserver/ui/dist';

run('graphql-codegen', '--silent');
run('tsc');
run('vite', 'build', '--logLevel', 'warn', '--outDir', to);
