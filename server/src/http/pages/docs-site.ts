import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the documentation is served. The site is built for this path. */
export const DOCS_PATH = '/docs/';

/** The documentation, built as a site. */
export interface DocsSite {
  /** Holds `index.html` and `404.html`. */
  directory: string;
  /** Of its pages: scripts of its own, and those within pages that are as they were built. */
  policy: string;
  /** The page for addresses that lead nowhere. */
  notFound: string;
}

/** The site in a directory; undefined without a directory, or when there is none in it. */
export function docsSite(directory: string | undefined): DocsSite | undefined {
  if (directory === undefined) return undefined;
  const page = (name: string) => join(directory, name);
  if (!['index.html', '404.html'].every((name) => existsSync(page(name)))) return undefined;
  const [index, notFound] = [
    readFileSync(page('index.html'), 'utf8'),
    readFileSync(page('404.html'), 'utf8'),
  ];
  return { directory, policy: policyFor(index), notFound };
}

/** VitePress writes the same two scripts into every page; styles of code examples are attributes. */
function policyFor(html: string): string {
  const scripts = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const hashes = scripts.map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    "default-src 'self'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
}
