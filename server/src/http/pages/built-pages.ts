import { join } from 'node:path';
import { packageFile } from '../../platform/package-files.js';
import type { Page } from './page.js';

/** The pages that the SDK package was built with, and the module that programs get in place of the embed page. */
export function builtPages(): { demo: Page; embed: Page; embedModule: string } {
  const dist = packageFile('cloud-browser', 'dist');
  return {
    demo: { name: 'demo', directory: join(dist, 'demo') },
    embed: { name: 'embed', directory: join(dist, 'embed') },
    embedModule: join(dist, 'embed-script', 'embed.js'),
  };
}
