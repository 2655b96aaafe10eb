/**
 * Checks that a test proves every creation field, every rule of the API and every row of the migration page,
 * see `lib/proofs.mjs`. With `--list` it prints the tests of each.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from './lib/paths.mjs';
import { migrationRows, proofsOf, RULES } from './lib/proofs.mjs';

const names = readdirSync(inRoot('test'), { recursive: true }).filter((name) => name.endsWith('.test.ts'));
const files = names.sort().map((name) => [join('test', name), readFileSync(inRoot('test', name), 'utf8')]);
const rows = [...RULES, ...migrationRows(readFileSync(inRoot('docs/migration.md'), 'utf8'))];
const { tests, problems } = proofsOf(rows, files);

if (process.argv.includes('--list'))
  for (const [row, titles] of tests) console.log([row, ...titles].join('\n    '));
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`Tests prove all ${tests.size} fields, rules and rows.`);
