/**
 * Writes the source of the site: the repository's texts, and the references that are generated from the code.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorsPage } from './errors.mjs';
import { writePages } from './pages.mjs';
import { restPages } from './rest.mjs';
import { writeSdkReference } from './sdk.mjs';

/** Folder of the source in the repository. */
export const SOURCE = 'docs-site/.build/source';

/**
 * Replaces the source of the site.
 *
 * @param facts output of `facts.mjs`
 */
export async function writeSource(root, { openapi, errors }) {
  const folder = join(root, SOURCE);
  const reference = join(folder, 'reference');
  const read = (path) => readFileSync(join(root, path), 'utf8');
  rmSync(folder, { recursive: true, force: true });
  writePages(root, folder);
  mkdirSync(reference, { recursive: true });
  const sdk = await writeSdkReference(root, join(reference, 'sdk'));
  const { pages, links: rest } = restPages(openapi, read('docs/api.md'));
  pages.errors = errorsPage({ errors, api: read('docs/api.md'), sdk: read('docs/sdk.md') });
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(reference, `${name}.md`), text);
  writeFileSync(join(reference, 'pages.json'), JSON.stringify({ sdk, rest }));
  cpSync(join(root, 'docs/images/demo-desktop.png'), join(folder, 'public/demo.png'));
}
