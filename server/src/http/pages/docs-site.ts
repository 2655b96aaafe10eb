import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Path of the documentation. The site is built for this path. */
export const DOCS_PATH = '/docs/';

/** The documentation, built as a site. */
export interface DocsSite {
  /** Contains `index.html` and `404.html`. */
  directory: string;
  /**
   * Content security policy of its pages. Allows scripts of the same origin, and the inline scripts of the
   * build.
   */
  policy: string;
  /** The page for unknown addresses. */
  notFound: string;
}

/** Returns the site in a directory. Undefined without a directory, or if it contains no site. */
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

/**
 * Returns the policy for all pages. VitePress writes the same two inline scripts into every page, so the
 * hashes of one page are enough. Code examples have style attributes, so the policy allows inline styles.
 */
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
