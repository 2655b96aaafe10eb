import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { VARIABLE_GROUPS, VARIABLES } from '../../../server/src/config/variables/index.js';
import { withVariablesTables } from '../../../server/src/config/variables-tables.js';
import { ROOT } from './test-titles.js';

const GUIDE = 'docs/operating.md';
/** Environment variables of programs other than the service. */
const OTHERS = [
  ...['DEBIAN_FRONTEND', 'HOME', 'LC_ALL', 'PATH'],
  ...['COUNTS_FILE', 'IN_CLUSTER', 'MACHINE_SLOWNESS', 'STRICT_TIMES', 'TEST_PART', 'TEST_SHARD'],
];

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

function filesOf(folder: string, isWanted: (name: string) => boolean): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(isWanted)
    .map((name) => join(folder, name));
}

/** Names that a text uses as environment variables of the service. */
function mentions(text: string, pattern: RegExp): string[] {
  const names = [...text.matchAll(pattern)].map(([, name = '']) => name);
  return [...new Set(names)].filter((name) => !OTHERS.includes(name));
}

/** Names that the service does not have, each with its file. */
function unknownNames(files: string[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    mentions(read(file), pattern)
      .filter((name) => !(name in VARIABLES))
      .map((name) => `${file}: ${name}`),
  );
}

describe('the environment variables', () => {
  it('match their rows in the guide', () => {
    const text = read(GUIDE);
    assert.equal(text, withVariablesTables(text), `${GUIDE} is out of date: run "npm run api".`);
  });

  it('are in one group each', () => {
    const names = VARIABLE_GROUPS.flatMap(({ variables }) => Object.keys(variables));
    assert.deepEqual(names.sort(), Object.keys(VARIABLES).sort());
  });

  it('exist if a deployment file uses them', () => {
    const files = filesOf('deploy', (name) => name !== 'seccomp.json');
    assert.ok(files.some((file) => mentions(read(file), /\b(STATE_DIR)=/g).length > 0));
    // Words with an underscore, and names with a value.
    const words = /\b([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)\b/g;
    const assigned = /(?:(?<=^ENV .*)\b|^\s+(?:- name: )?)([A-Z][A-Z\d_]+)(?:[=:]|$)/gm;
    assert.deepEqual([...unknownNames(files, words), ...unknownNames(files, assigned)], []);
  });

  it('exist if a script sets or reads them', () => {
    const scripts = filesOf('scripts', (name) => name.endsWith('.mjs'));
    const assigned = /\b([A-Z]+(?:_[A-Z]+)+)(?:: |=[^=>\s])/g;
    const used = /process\.env\.([A-Z_]+)/g;
    assert.ok(scripts.some((file) => mentions(read(file), used).includes('DOCS_DIR')));
    assert.deepEqual([...unknownNames(scripts, assigned), ...unknownNames(scripts, used)], []);
  });

  it('exist if the guide mentions them', () => {
    assert.deepEqual(unknownNames([GUIDE], /`(?!RLIMIT_|AWS_)([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`/g), []);
  });
});
