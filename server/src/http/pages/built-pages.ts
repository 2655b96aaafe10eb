import { readFileSync } from 'node:fs';
import { packageFile } from '../../platform/package-files.js';
import { docsSite, type DocsSite } from './docs-site.js';
import type { Page } from './page.js';

/** A script and what it loads later. */
export interface ScriptWithParts {
  /** Its file, which has all that runs first. */
  file: string;
  /** The directory of what it loads later: a directory for its build, and the parts in that. */
  parts: string;
}

/** The element for pages without a bundler. */
export interface ElementScript extends ScriptWithParts {
  /** The licences of the libraries in it. */
  licenses: string;
  /** Of the SDK, which is the service's too. */
  version: string;
}

/** What the SDK was built to. */
export interface BuiltPages {
  demo: Page;
  embed: Page;
  /** What programs get in place of the embed page. */
  embedModule: ScriptWithParts;
  element: ElementScript;
  /** Undefined when it is not built, or not told of. */
  docs: DocsSite | undefined;
}

/**
 * The pages and scripts that the SDK was built to, in the service's package.
 *
 * @param docsDir where the documentation is, which that package does not have
 */
export function builtPages(docsDir: string | undefined): BuiltPages {
  const built = (...path: string[]) => packageFile('dist', 'pages', ...path);
  return {
    demo: { name: 'demo', directory: built('demo') },
    embed: { name: 'embed', directory: built('embed') },
    embedModule: { file: built('embed-script', 'embed.js'), parts: built('embed-script', 'embed-parts') },
    element: {
      file: built('element-script', 'element.js'),
      parts: built('element-script', 'element-parts'),
      licenses: built('element-script', 'licenses.md'),
      version: versionOf(packageFile('package.json')),
    },
    docs: docsSite(docsDir),
  };
}

function versionOf(manifest: string): string {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return version;
}
