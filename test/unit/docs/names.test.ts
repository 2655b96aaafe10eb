import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const EXPORTED = /^export (?:abstract )?(?:class|interface) (\w+)/gm;

describe('the names of exported classes and interfaces', () => {
  for (const folder of ['src', 'server/src'])
    it(`are unique within ${folder}`, () => {
      const homes = new Map<string, string[]>();
      for (const file of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
        if (!file.endsWith('.ts')) continue;
        const text = readFileSync(join(ROOT, folder, file), 'utf8');
        // A class and an interface with one name in one file are one type.
        for (const name of new Set([...text.matchAll(EXPORTED)].map(([, found = '']) => found)))
          homes.set(name, [...(homes.get(name) ?? []), file]);
      }
      assert.ok(homes.size > 50);
      assert.deepEqual(
        [...homes].filter(([, files]) => files.length > 1),
        [],
      );
    });
});
