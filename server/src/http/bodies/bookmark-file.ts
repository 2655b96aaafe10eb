import type { Bookmark } from '../../host-protocol.js';
import { ServiceError } from '../../service-error.js';

/** Far more than people collect; bounds the time that the browser takes to add them. */
const MAX_ITEMS = 10_000;
const MAX_DEPTH = 32;
/**
 * The pieces of a bookmark file that mean something: headings of folders, links, and the ends of lists. A tag ends before the next one
 * at the latest: searching each open one to the end of the text would take hours for two megabytes of them.
 */
const PIECE = /<h3\b[^<>]*>([^<]*)|<a\b([^<>]*)>([^<]*)|<(\/?)dl\b[^<>]*>/gi;
const HREF = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i;

interface Folder {
  title: string;
  children: Bookmark[];
}

/**
 * The bookmarks of a file in the Netscape format, as every browser exports it. Links to anything but http, https and about:
 * are left out. Throws {@link ServiceError} `err_bad_request`.
 */
export function parseBookmarkFile(text: string): Bookmark[] {
  if (!/<(dl|a)\b/i.test(text))
    throw new ServiceError('err_bad_request', 'This is not a Netscape bookmark file.');
  const top: Folder = { title: '', children: [] };
  const open: Folder[] = [];
  let heading: Folder | undefined;
  let count = 0;
  for (const [piece, folderTitle, attributes, linkTitle, slash] of text.matchAll(PIECE)) {
    if (++count > MAX_ITEMS) throw new ServiceError('err_bad_request', `More than ${MAX_ITEMS} bookmarks.`);
    const here = open.at(-1) ?? top;
    if (folderTitle !== undefined) {
      heading = { title: plain(folderTitle), children: [] };
      here.children.push(heading);
    } else if (attributes !== undefined) {
      const bookmark = bookmarkOf(attributes, linkTitle ?? '');
      if (bookmark) here.children.push(bookmark);
    } else if (slash === '' || !piece.startsWith('</')) {
      if (open.length >= MAX_DEPTH)
        throw new ServiceError('err_bad_request', `Folders may be nested ${MAX_DEPTH} deep.`);
      open.push(heading ?? here);
      heading = undefined;
    } else {
      open.pop();
      heading = undefined;
    }
  }
  return top.children;
}

function bookmarkOf(attributes: string, title: string): Bookmark | undefined {
  const match = HREF.exec(attributes);
  const href = plain(match?.[1] ?? match?.[2] ?? match?.[3] ?? '');
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  if (!/^(https?|about):$/.test(url.protocol)) return undefined;
  return { title: plain(title) || url.href, url: url.href };
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Text without its character references and superfluous white space. */
function plain(html: string): string {
  return html
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
      const code = decimal ? Number(decimal) : hex ? parseInt(String(hex), 16) : undefined;
      if (code === undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    })
    .replace(/\s+/g, ' ')
    .trim();
}
