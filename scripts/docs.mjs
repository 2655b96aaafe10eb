/**
 * Builds the documentation as a site into `.build/docs`. Does nothing if no source of the site has changed.
 * Fails on a broken link. `npm run docs -- dev` serves the site while texts are written,
 * `npm run docs -- serve` serves the built one.
 */
import { watch } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { digestOf, isDone, markDone } from './lib/build-stamp.mjs';
import { installNpmPackages } from './lib/npm-packages.mjs';
import { inRoot, ROOT } from './lib/paths.mjs';
import { main, runNode, ScriptError } from './lib/run.mjs';
import { setup } from './setup.mjs';

const SITE = 'docs-site';
const OUTPUT = '.build/docs';
const STAMP = '.build/docs.sha256';
/** Sources of the site. */
const SOURCES = ['docs', SITE, 'examples', 'src', 'server/src', 'demo/icon.svg', 'scripts/docs.mjs'];
const TEXTS = ['CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
const VITEPRESS = inRoot(SITE, 'node_modules/vitepress/bin/vitepress.js');

async function facts() {
  const { code, output } = await runNode(['--import', 'tsx', `${SITE}/facts.mjs`], { collect: true });
  if (code !== 0) throw new ScriptError(`${output}\nThe code could not be asked what it knows.`);
  return JSON.parse(output);
}

async function writeSource() {
  const { writeSource: write } = await import(inRoot(SITE, 'source.mjs'));
  await write(ROOT, await facts());
}

/** Updates the site. */
export async function buildDocs() {
  await installNpmPackages(SITE);
  const digest = digestOf([...SOURCES, ...TEXTS]);
  if (isDone(STAMP, digest, [`${OUTPUT}/index.html`])) return;
  await build();
  const started = Date.now();
  console.log('Building the documentation …');
  await writeSource();
  const { code, output } = await runNode([VITEPRESS, 'build', SITE], { collect: true });
  if (code !== 0) throw new ScriptError(`${output}\nThe documentation could not be built.`);
  const { brokenLinks } = await import(inRoot(SITE, 'links.mjs'));
  const broken = brokenLinks(inRoot(OUTPUT), '/docs/');
  if (broken.length > 0) throw new ScriptError(broken.join('\n'));
  markDone(STAMP, digest);
  console.log(`Built ${OUTPUT} in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}

/** Serves the site for authors. A saved text is shown at once. */
async function develop() {
  await installNpmPackages(SITE);
  await build();
  await writeSource();
  const { writePages } = await import(inRoot(SITE, 'pages.mjs'));
  const { SOURCE } = await import(inRoot(SITE, 'source.mjs'));
  watch(inRoot('docs'), { recursive: true }, () => writePages(ROOT, inRoot(SOURCE)));
  await runNode([VITEPRESS, 'dev', SITE]);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    await setup();
    const [command] = process.argv.slice(2);
    if (command === 'dev') return develop();
    await buildDocs();
    if (command === 'serve') await runNode([VITEPRESS, 'preview', SITE]);
    else if (command !== undefined)
      throw new ScriptError('There are: npm run docs, npm run docs -- dev, npm run docs -- serve.');
    else console.log(`The site is in ${OUTPUT}; npm start serves it at /docs/.`);
  });
}
