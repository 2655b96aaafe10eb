import type { Bookmark } from '../../host-protocol.js';
import { chromiumAddress, isNewTabPage, NEW_TAB_PAGE } from '../../platform/network/new-tab-page.js';
import { ServiceError } from '../../service-error.js';

/**
 * Maximum number of links, headings and list tags in a file. It limits the time that the browser needs to add
 * the bookmarks. The files of users have far fewer.
 */
const MAX_ITEMS = 10_000;
const MAX_DEPTH = 32;
/**
 * Matches the relevant parts of a bookmark file: headings of folders, links, and starts and ends of lists. A
 * match does not continue beyond the start of the next tag. Otherwise, the text after each unclosed tag would
 * be searched to its end, which takes hours for two megabytes.
 */
const PIECE = /<h3\b[^<>]*>([^<]*)|<a\b([^<>]*)>([^<]*)|<(\/?)dl\b[^<>]*>/gi;
const HREF = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i;

interface Folder {
  title: string;
  children: Bookmark[];
}

/**
 * Parses a bookmark file in the Netscape format, as every browser exports it. Keeps links with http, https or
 * about:, and links to a browser's new tab page. Skips all other links. Throws {@link ServiceError}
 * `err_bad_request`.
 */
export function parseBookmarkFile(text: string): Bookmark[] {
  if (!/<(dl|a)\b/i.test(text))
    throw new ServiceError('err_bad_request', 'This is not a Netscape bookmark file.');
  const top: Folder = { title: '', children: [] };
  const open: Folder[] = [];
  let heading: Folder | undefined;
  let count = 0;
  for (const [piece, folderTitle, attributes, linkTitle, slash] of text.matchAll(PIECE)) {
    if (++count > MAX_ITEMS)
      throw new ServiceError(
        'err_bad_request',
        `The file has more than ${MAX_ITEMS} links, folders and lists.`,
      );
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
  if (isNewTabPage(href)) return { title: plain(title) || 'New Tab', url: chromiumAddress(NEW_TAB_PAGE) };
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  if (!/^(https?|about):$/.test(url.protocol)) return undefined;
  return { title: plain(title) || url.href, url: url.href };
}

const ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }));

/** Decodes character references and collapses white space. */
function plain(html: string): string {
  return html
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
      const code = decimal ? Number(decimal) : hex ? parseInt(String(hex), 16) : undefined;
      if (code === undefined) return ENTITIES.get(String(name).toLowerCase()) ?? whole;
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    })
    .replace(/\s+/g, ' ')
    .trim();
}
