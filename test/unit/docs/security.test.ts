import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hasTest, ROOT } from './test-titles.js';

const page = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
const [, promises = ''] = /^## Promises$(.*?)^## /ms.exec(page) ?? [];
const rows = [...promises.matchAll(/^\| (?!Promise |-)(.+?) +\| (.+?) +\| (.+?) *\|$/gm)];

describe('the promises of docs/security.md', () => {
  it('cover every attacker', () => {
    const groups = [...promises.matchAll(/^### (.+)$/gm)].map(([, name]) => name);
    assert.equal(groups.length, 8);
    assert.ok(rows.length > 35);
  });

  for (const [, promise = '', guards = '', tests = ''] of rows) {
    it(`name their guards and existing tests: ${promise.slice(0, 60)}`, () => {
      const files = [...guards.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
      assert.ok(files.length > 0);
      assert.deepEqual(
        files.filter((file) => !existsSync(join(ROOT, file))),
        [],
      );
      const named = [...tests.matchAll(/“([^”]+)”, `(test\/[^`]+)`/g)];
      assert.equal(named.length, tests.split('<br>').length, tests);
      assert.deepEqual(
        named.filter(([, title = '', file = '']) => !hasTest(file, title)).map(([quoted]) => quoted),
        [],
      );
    });
  }
});
