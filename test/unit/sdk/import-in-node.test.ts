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
    it(`can import ${entry.replace('../../../', '')}`, async () => {
      const module = (await import(entry)) as Record<string, unknown>;
      assert.ok(Object.keys(module).length > 0);
    });
  }

  it('registers no element and needs no document', async () => {
    await import(ENTRIES[1] ?? '');
    assert.equal('document' in globalThis, false);
  });

  it('detects that it can only show images', async () => {
    const { probeMedia } = (await import(ENTRIES[0] ?? '')) as typeof import('../../../src/index.js');
    assert.deepEqual((await probeMedia()).kinds, ['image']);
  });
});
