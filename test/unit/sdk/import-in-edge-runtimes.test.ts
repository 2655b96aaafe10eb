import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const ROOT = new URL('../../../', import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
  exports: Record<string, string | Record<string, string>>;
};
/** The entries with code, by their names. */
const ENTRIES = Object.entries(exports).filter((entry): entry is [string, Record<string, string>] => {
  return typeof entry[1] !== 'string';
});
const names = async (path = ''): Promise<string[]> =>
  Object.keys((await import(new URL(path, ROOT).href)) as Record<string, unknown>);

// These tests are in a file of their own, because an import of Lit would hide what the first ones check.
describe('the package in edge runtimes', () => {
  for (const condition of ['workerd', 'edge-light'])
    it(`can be imported without Lit, which needs a document there: ${condition}`, async () => {
      for (const [, entry] of ENTRIES) await names(entry[condition] ?? entry['default']);
      // Lit makes a registry of elements in Node.
      assert.equal('customElements' in globalThis, false);
    });

  it('exports the same names as elsewhere', async () => {
    for (const [name, entry] of ENTRIES) {
      if (entry['workerd'])
        assert.deepEqual(await names(entry['workerd']), await names(entry['default']), name);
    }
  });
});
