import { packageFile, packageVersion } from '../../platform/files/package-files.js';
import { docsSite, type DocsSite } from './docs-site.js';
import type { Page } from './page.js';

/** A script and the parts that it loads later. */
export interface ScriptWithParts {
  /** Path of the script with the code that runs first. */
  file: string;
  /** Directory of the parts. It contains one directory per build, with the parts in it. */
  parts: string;
}

/** The script of an element, for pages without a bundler. */
export interface ElementScript extends ScriptWithParts {
  /** Path of the file with the licences of the libraries that the script contains. */
  licenses: string;
  /** Version of the SDK, which is also the version of the service. */
  version: string;
}

/** The build output of the SDK. */
export interface BuiltPages {
  demo: Page;
  embed: Page;
  /**
   * The JavaScript module that an embed URL returns for `import()`. For a navigation, the embed URL returns
   * the page {@link embed}.
   */
  embedModule: ScriptWithParts;
  element: ElementScript;
  /** The script of the element that shows a recording. */
  replay: ElementScript;
  /** The documentation. Undefined if it is not built, or if no directory was given. */
  docs: DocsSite | undefined;
}

/**
 * Returns the built pages and scripts of the SDK, from the service's package.
 *
 * @param docsDir directory of the documentation, which the service's package does not contain
 */
export function builtPages(docsDir: string | undefined): BuiltPages {
  const built = (...path: string[]) => packageFile('dist', 'pages', ...path);
  return {
    demo: { name: 'demo', directory: built('demo') },
    embed: { name: 'embed', directory: built('embed') },
    embedModule: { file: built('embed-script', 'embed.js'), parts: built('embed-script', 'embed-parts') },
    element: scriptIn('element', built),
    replay: scriptIn('replay', built),
    docs: docsSite(docsDir),
  };
}

function scriptIn(name: string, built: (...path: string[]) => string): ElementScript {
  return {
    file: built(`${name}-script`, `${name}.js`),
    parts: built(`${name}-script`, `${name}-parts`),
    licenses: built(`${name}-script`, 'licenses.md'),
    version: packageVersion(),
  };
}
