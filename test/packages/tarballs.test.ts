import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { listedLicenses } from '../../scripts/lib/complete-licenses.mjs';
import { pack } from '../../scripts/pack.mjs';
import { brokenLinks } from './readme-links.js';
import { node, ROOT, tool, unpack } from './support.js';

interface SourceMap {
  sources: string[];
  sourcesContent?: (string | null)[];
}
interface Manifest {
  exports: Record<string, string | { types: string; default: string }>;
  bin?: Record<string, string>;
  customElements?: string;
  license: string;
}

/** Files that the packages may contain, whatever their folders are called. */
const SDK_FILES =
  /^(dist\/.+\.(js|js\.map|d\.ts)|frameworks\/[\w-]+\.(js|d\.ts)|(custom-elements|html-custom-data|package)\.json|README\.md|LICENSE)$/;
const SERVER_FILES =
  /^(dist\/(cli|shared\/[\w-]+|host\/main|egress\/main|recordings\/thumbnails\/main)\.js(\.map)?|dist\/egress\/(pac-program\.cjs|quickjs\.wasm)|dist\/(egress\/|pages\/(element|replay|embed)-script\/|browser-extensions\/adblock\/)?licenses\.md|dist\/(pages|browser-extensions)\/[\w/.@-]+\.(html|js|css|svg|json|webm)|package\.json|README\.md|LICENSE)$/;

describe('the packages', () => {
  const folders = { sdk: '', server: '' };
  const files = { sdk: [] as string[], server: [] as string[] };
  let tarballs = { sdk: '', server: '' };

  before(async () => {
    tarballs = await pack();
    for (const name of ['sdk', 'server'] as const) {
      folders[name] = mkdtempSync(join(tmpdir(), `cloud-browser-${name}-`));
      files[name] = unpack(tarballs[name], folders[name]);
    }
  });

  after(() => {
    for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true });
  });

  const read = (name: 'sdk' | 'server', path: string) =>
    readFileSync(join(folders[name], 'package', path), 'utf8');
  const manifest = (name: 'sdk' | 'server') => JSON.parse(read(name, 'package.json')) as Manifest;

  it('contain the expected files and no others', () => {
    assert.deepEqual(
      files.sdk.filter((path) => !SDK_FILES.test(path)),
      [],
    );
    assert.deepEqual(
      files.server.filter((path) => !SERVER_FILES.test(path)),
      [],
    );
    // The pages are the service's.
    assert.deepEqual(
      files.sdk.filter((path) => /\b(embed|embed-module|demo|pages)\//.test(path)),
      [],
    );
  });

  it('contain every file that their manifests name', () => {
    for (const name of ['sdk', 'server'] as const) {
      const { exports, bin = {}, customElements } = manifest(name);
      const named = Object.values(exports).flatMap((entry) =>
        typeof entry === 'string' ? [entry] : Object.values(entry),
      );
      for (const path of [...named, ...Object.values(bin), ...(customElements ? [customElements] : [])])
        assert.ok(existsSync(join(folders[name], 'package', path)), `${name}: ${path}`);
    }
  });

  it('import no module that they do not contain or depend on', () => {
    for (const path of files.sdk.filter((each) => /\.(js|d\.ts)$/.test(each)))
      for (const [, specifier = ''] of read('sdk', path).matchAll(/(?:from|import) '(\.[^']+)'/g)) {
        const target = join(dirname(path), specifier);
        const found = path.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target;
        assert.ok(files.sdk.includes(found), `${path} imports ${specifier}`);
      }
  });

  it('have source maps that contain their sources', () => {
    for (const name of ['sdk', 'server'] as const) {
      const maps = files[name].filter((path) => path.endsWith('.map'));
      assert.ok(maps.length > 0);
      for (const path of maps) {
        const { sources, sourcesContent = [] } = JSON.parse(read(name, path)) as SourceMap;
        assert.ok(
          sources.every((_source, index) => typeof sourcesContent[index] === 'string'),
          `${name}: ${path}`,
        );
      }
      for (const path of files[name].filter((each) => each.endsWith('.js')))
        for (const [, map = ''] of read(name, path).matchAll(/^\/\/# sourceMappingURL=(\S+)$/gm))
          assert.ok(files[name].includes(join(dirname(path), map)), `${name}: ${path} names ${map}`);
    }
  });

  it('contain an identifier and the licence text of each bundled library', () => {
    const lists = files.server.filter((path) => path.endsWith('licenses.md'));
    assert.equal(lists.length, 6);
    for (const path of lists) {
      const listed = listedLicenses(read('server', path));
      assert.ok(listed.length > 0, path);
      const without = listed.filter(({ identifier, text }) => !identifier || text.length < 200);
      assert.deepEqual(
        without.map(({ name }) => `${path}: ${name}`),
        [],
      );
    }
  });

  it('contain a licence list that covers the embed module, whose comment names the list', () => {
    const listed = (script: string) =>
      listedLicenses(read('server', `dist/pages/${script}/licenses.md`)).map(({ name }) => name);
    const served = listed('element-script');
    assert.deepEqual(
      listed('embed-script').filter((name) => !served.includes(name)),
      [],
    );
    assert.match(read('server', 'dist/pages/embed-script/embed.js'), /^\/\*! .*\/element\.licenses\.md \*\//);
  });

  it('name the GPL and contain its text if a tarball has files under it', () => {
    const [rules] = listedLicenses(read('server', 'dist/browser-extensions/adblock/licenses.md'));
    assert.ok(files.server.some((path) => path.startsWith('dist/browser-extensions/adblock/rules/')));
    assert.equal(rules?.name, '@adguard/dnr-rulesets');
    assert.match(rules.text, /GNU GENERAL PUBLIC LICENSE\s+Version 3[^]*END OF TERMS AND CONDITIONS/);
    assert.equal(manifest('server').license, 'MIT AND GPL-3.0-only');
    assert.equal(manifest('sdk').license, 'MIT');
  });

  it('pass publint', async () => {
    for (const tarball of Object.values(tarballs))
      assert.match(await node([tool('publint/src/cli.js'), 'run', tarball, '--strict']), /All good!/);
  });

  it('have types that resolve correctly in every module mode', async () => {
    await node([tool('@arethetypeswrong/cli/dist/index.js'), tarballs.sdk, '--no-emoji']);
  });

  it('can be imported in Node without a document, for each framework', async () => {
    const place = join(folders.sdk, 'package');
    symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'));
    const entries = Object.entries(manifest('sdk').exports).flatMap(([name, entry]) =>
      typeof entry === 'string' ? [] : [name.replace(/^\./, 'cloud-browser')],
    );
    const script = entries.map((name) => `await import('${name}');`).join('\n');
    await node(['--input-type=module', '--eval', script], place);
  });

  for (const name of ['sdk', 'server'] as const)
    it(`have a README whose links work outside the repository: ${name}`, () => {
      assert.deepEqual(brokenLinks(read(name, 'README.md'), files[name]), []);
    });

  it('list every import in the README of the SDK', () => {
    const text = read('sdk', 'README.md');
    for (const entry of Object.keys(manifest('sdk').exports).filter((each) => each !== './package.json'))
      assert.ok(text.includes(`\`${entry.replace(/^\./, 'cloud-browser')}\``), entry);
  });
});

it('the link check reports all broken links and no others', () => {
  const text = `# A title
[in](LICENSE) [out](https://example.com/) [place](#a-title) [no](docs/sdk.md) [nor](#no-title)
<img alt="" src="docs/demo.png"> ![picture](demo.png "title")
\`\`\`md
[code](nowhere.md)
\`\`\`
[named]: gone.md
`;
  assert.deepEqual(brokenLinks(text, ['LICENSE']), [
    'docs/sdk.md',
    '#no-title',
    'docs/demo.png',
    'demo.png',
    'gone.md',
  ]);
});
