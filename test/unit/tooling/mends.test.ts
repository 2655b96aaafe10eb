import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { GUARDS } from '../../mends/guards.js';
import { hasTest, ROOT } from '../docs/test-titles.js';

/** The name of the group that starts the titles of the probe's attempts. */
const GROUP = /^a compromised browser of a service that runs as (root|another user) /;

describe('the table of removed guards', () => {
  for (const { name, edits, proofs } of GUARDS) {
    it(`names existing code and existing tests: ${name}`, () => {
      for (const { file, search } of edits)
        assert.equal(readFileSync(join(ROOT, file), 'utf8').split(search).length, 2, `${file}: ${search}`);
      assert.ok(edits.length > 0 && proofs.length > 0);
      for (const { file, title } of proofs)
        assert.ok(hasTest(file, title.replace(GROUP, '')), `${title}, ${file}`);
    });
  }
});
