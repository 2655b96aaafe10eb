import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from './page.js';

/** The pages that the SDK package was built with. */
export function builtPages(): { demo: Page; embed: Page } {
  const dist = join(dirname(fileURLToPath(import.meta.resolve('cloud-browser/package.json'))), 'dist');
  return {
    demo: { name: 'demo', directory: join(dist, 'demo') },
    embed: { name: 'embed', directory: join(dist, 'embed') },
  };
}
