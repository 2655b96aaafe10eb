import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';

interface Package {
  version: string;
  devDependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

const read = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')) as Package;

it('the native parts of node-av have the version that the session host is bundled with', () => {
  const { devDependencies, optionalDependencies } = read('server/package.json');
  const { version } = read('node_modules/node-av/package.json');
  assert.equal(devDependencies['node-av'], version);
  assert.deepEqual([...new Set(Object.values(optionalDependencies))], [version]);
});
