/**
 * Looks for links of the finished site that lead nowhere: places that a page does not have, and pages that
 * only the navigation names.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * One sentence for each link that leads nowhere. `folder` is the site, `base` the path that it is served at.
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
