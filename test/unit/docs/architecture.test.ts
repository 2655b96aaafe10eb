import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { IMPORT_RULES } from '../../../scripts/lib/import-rules.mjs';

/** Maximum size of the overview in bytes. */
const OVERVIEW_BYTES = 15_000;
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(ROOT + path, 'utf8');

/** The paths in the documents, and the maximum number of the project's functions on each. */
const WAYS = {
  'A click': 14,
  'A frame': 20,
  'A create request': 20,
  'A create request that another node handles': 17,
  'A copy in the remote browser': 20,
  'An upload to a page': 21,
};
const PATHS = read('docs/architecture.md') + read('docs/paths.md');

it('the architecture overview stays short', () => {
  assert.ok(Buffer.byteLength(read('docs/architecture.md')) < OVERVIEW_BYTES);
});

describe('the architecture overview', () => {
  for (const root of ['src', 'server/src', 'server/src/host'])
    it(`names every folder of ${root}/ that has import rules`, () => {
      const overview = read('docs/architecture.md');
      const folders = Object.keys(IMPORT_RULES[root] ?? {}).filter((zone) => !zone.endsWith('.ts'));
      assert.deepEqual(
        folders.filter((folder) => !overview.includes(`\`${folder}/\``)),
        [],
      );
    });

  it('links to every page with decisions', () => {
    const overview = read('docs/architecture.md');
    const pages = ['src', 'server/src']
      .flatMap((root) =>
        readdirSync(ROOT + root, { recursive: true, encoding: 'utf8' }).map((path) => `${root}/${path}`),
      )
      .filter((path) => path.endsWith('README.md') && read(path).includes('\n## Decisions\n'));
    assert.deepEqual(
      pages.filter((page) => !overview.includes(`](../${page})`)),
      [],
    );
  });
});

describe('the paths through the code', () => {
  for (const [way, limit] of Object.entries(WAYS)) {
    const [, section = ''] = PATHS.split(`### ${way}: `);
    const [list = ''] = section.split(/^###? /m);
    const hops = [...list.matchAll(/^\d+\. `((?:src|server)\/[^`]+)` `([^`]+)`/gm)];

    it(`${way.toLowerCase()} passes the number of functions in the guide, at most ${limit}`, () => {
      assert.equal(Number.parseInt(section), hops.length);
      assert.ok(hops.length <= limit);
    });

    for (const [, file = '', name = ''] of hops) {
      it(`${way.toLowerCase()} passes ${name}`, () => {
        const source = read(file);
        const [owner = '', member = owner] = name.split('.');
        assert.match(source, new RegExp(`(class|function|const) ${owner}\\b`));
        assert.match(source, new RegExp(`(^|[\\s.])${member}\\b *[(=:<]`, 'm'));
      });
    }
  }
});
