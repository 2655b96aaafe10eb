import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../platform/package-files.js';
import type { Page } from './page.js';

/** The element for pages without a bundler. */
export interface ElementScript {
  /** Its file, which has all that runs first. */
  file: string;
  /** The directory of what it loads later: a directory for its build, and the parts in that. */
  parts: string;
  /** The licences of the libraries in it. */
  licenses: string;
  /** Of the SDK. */
  version: string;
}

/** What the SDK package was built to. */
export interface BuiltPages {
  demo: Page;
  embed: Page;
  /** The file of the module that programs get in place of the embed page. */
  embedModule: string;
  element: ElementScript;
}

/** The pages and scripts that the SDK package was built to. */
export function builtPages(): BuiltPages {
  const dist = packageFile('cloud-browser', 'dist');
  return {
    demo: { name: 'demo', directory: join(dist, 'demo') },
    embed: { name: 'embed', directory: join(dist, 'embed') },
    embedModule: join(dist, 'embed-script', 'embed.js'),
    element: {
      file: join(dist, 'element-script', 'element.js'),
      parts: join(dist, 'element-script', 'element-parts'),
      licenses: join(dist, 'element-script', 'licenses.md'),
      version: versionOf(packageFile('cloud-browser', 'package.json')),
    },
  };
}

function versionOf(manifest: string): string {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return version;
}
