/**
 * Writes what follows from the tables of the service: the environment variables in `docs/operating.md`, the
 * creation fields in `docs/api.md`, and their type for `cloud-browser/api`. With `--check` it writes nothing
 * and reports which files are out of date. Runs under tsx.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { withVariablesTables } from '../../server/src/config/variables-tables.ts';
import { withFieldsTable } from '../../server/src/create-fields/field-texts.ts';
import { createSessionType } from './create-session-type.mjs';
import { inRoot } from './paths.mjs';

const FILES = {
  'docs/operating.md': withVariablesTables,
  'docs/api.md': withFieldsTable,
  'src/api/create-session.ts': createSessionType,
};

for (const [file, textOf] of Object.entries(FILES)) {
  const old = readFileSync(inRoot(file), 'utf8');
  const text = await textOf(old);
  if (text === old) continue;
  if (process.argv.includes('--check')) {
    console.log(`${file} is out of date: run "npm run api".`);
    process.exitCode = 1;
  } else {
    writeFileSync(inRoot(file), text);
    console.log(`Written: ${file}`);
  }
}
