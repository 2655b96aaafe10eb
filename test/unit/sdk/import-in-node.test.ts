import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

/** The built package, as a server that renders pages imports it. */
const ENTRIES = [
  '../../../dist/index.js',
  '../../../dist/element/define.js',
  '../../../dist/protocol/index.js',
];

/** The entries that register an element, by its tag. */
const ELEMENTS = {
  'cloud-browser': '../../../dist/element/define.js',
  'cloud-browser-replay': '../../../dist/replay/define.js',
};

describe('the package in Node', () => {
  for (const entry of ENTRIES) {
    it(`can import ${entry.replace('../../../', '')}`, async () => {
      const module = (await import(entry)) as Record<string, unknown>;
      assert.ok(Object.keys(module).length > 0);
    });
  }

  for (const [tag, entry] of Object.entries(ELEMENTS))
    it(`registers no element and needs no document: ${tag}`, async () => {
      await import(entry);
      assert.equal('document' in globalThis, false);
      // Lit makes this registry in Node. A renderer on the server runs the elements that it contains.
      const { customElements } = globalThis as { customElements?: { get(tag: string): unknown } };
      assert.equal(customElements?.get(tag), undefined);
    });

  it('detects that it can only show images', async () => {
    const { probeMedia } = (await import(ENTRIES[0] ?? '')) as typeof import('../../../src/index.js');
    assert.deepEqual((await probeMedia()).kinds, ['image']);
  });
});
