import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

/** The built package, as a server that renders pages imports it. */
const ENTRIES = [
  '../../../dist/index.js',
  '../../../dist/element/define.js',
  '../../../dist/protocol/index.js',
];

describe('the package in Node', () => {
  for (const entry of ENTRIES) {
    it(`lets ${entry.replace('../../../', '')} be imported`, async () => {
      const module = (await import(entry)) as Record<string, unknown>;
      assert.ok(Object.keys(module).length > 0);
    });
  }

  it('registers nothing and needs no document', async () => {
    await import(ENTRIES[1] ?? '');
    assert.equal('document' in globalThis, false);
  });

  it('finds out that it can show images alone', async () => {
    const { probeMedia } = (await import(ENTRIES[0] ?? '')) as typeof import('../../../src/index.js');
    assert.deepEqual((await probeMedia()).kinds, ['image']);
  });
});
