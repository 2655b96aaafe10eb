/**
 * Writes the tables of environment variables in `docs/operating.md`. With `--check` it writes nothing and
 * reports whether they are out of date. Runs under tsx.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { withVariablesTables } from '../../server/src/config/variables-tables.ts';
import { inRoot } from './paths.mjs';

const PAGE = 'docs/operating.md';
const old = readFileSync(inRoot(PAGE), 'utf8');
const text = withVariablesTables(old);
if (text !== old && process.argv.includes('--check')) {
  console.log(`${PAGE} is out of date: run "npm run api".`);
  process.exitCode = 1;
} else if (text !== old) {
  writeFileSync(inRoot(PAGE), text);
  console.log(`Written: ${PAGE}`);
}
