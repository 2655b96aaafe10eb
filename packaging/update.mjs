/**
 * Writes the descriptions of what is public anew, of a finished build: run it when the element or the SDK's
 * surface has changed on purpose. With `--check` it writes nothing and tells which are out of date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareReports } from './api-report.mjs';
import { describeElement } from './manifest.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const update = !process.argv.includes('--check');

const changed = [];
for (const [name, text] of Object.entries(await describeElement(ROOT))) {
  const file = join(ROOT, name);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  changed.push(name);
  if (update) writeFileSync(file, text);
}
changed.push(...compareReports(ROOT, { update }));

console.log(
  changed.length === 0
    ? 'What is public is as described.'
    : `${update ? 'Written' : 'Out of date'}: ${changed.join(', ')}`,
);
if (!update && changed.length > 0) {
  console.log(
    'What is public has changed: run "npm run api", look at the difference, and say it in CHANGELOG.md.',
  );
  process.exitCode = 1;
}
