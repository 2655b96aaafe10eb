import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from './page.js';

/** The pages that the SDK package was built with, and the module that programs get in place of the embed page. */
export function builtPages(): { demo: Page; embed: Page; embedModule: string } {
  const dist = join(dirname(fileURLToPath(import.meta.resolve('cloud-browser/package.json'))), 'dist');
  return {
    demo: { name: 'demo', directory: join(dist, 'demo') },
    embed: { name: 'embed', directory: join(dist, 'embed') },
    embedModule: join(dist, 'embed-script', 'embed.js'),
  };
}
