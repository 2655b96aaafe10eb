/**
 * Finds broken links of the finished site: links to pages and headings that do not exist. Also checks the
 * links of the navigation.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns one sentence for each broken link.
 *
 * @param folder folder of the site
 * @param base path of the site on its server
 */
export function brokenLinks(folder, base) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.html'),
  );
  const pages = new Map(files.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
  const ids = new Map(
    [...pages].map(([path, html]) => [
      path,
      new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)),
    ]),
  );
  const problems = new Set();
  for (const [path, html] of pages) {
    for (const [, href] of html.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
      const target = new URL(href.replaceAll('&amp;', '&'), `http://site${base}${path}`);
      if (target.host !== 'site' || !target.pathname.startsWith(base)) continue;
      const page = target.pathname.slice(base.length).replace(/(^|\/)$/, '$1index.html');
      const anchor = decodeURIComponent(target.hash.slice(1));
      if (!ids.has(page)) problems.add(`${path} links to ${page}, which is not there.`);
      else if (anchor !== '' && !ids.get(page).has(anchor))
        problems.add(`${path} links to ${page}#${anchor}, which is not there.`);
    }
  }
  return [...problems];
}
