/**
 * Updates the descriptions of the public API from a finished build. Run it after an intended change of the
 * element or the SDK. With `--check`, it writes nothing and prints which descriptions are out of date.
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
    ? 'The descriptions of the public API are up to date.'
    : `${update ? 'Written' : 'Out of date'}: ${changed.join(', ')}`,
);
if (!update && changed.length > 0) {
  console.log(
    'The public API has changed. Run "npm run api", check the difference, and describe it in CHANGELOG.md.',
  );
  process.exitCode = 1;
}
