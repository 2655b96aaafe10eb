import { isRecord } from '../../../platform/is-record.js';

/**
 * Maximum number of characters of a tab's address, title and icon. A page can put megabytes into its address
 * and into the `data:` address of its icon, and change them all the time. Each event of the tab would send
 * them to all subscribed viewers. The longest addresses of real pages, with the messages of a login, are
 * shorter.
 */
export const MAX_TAB_TEXT_CHARS = 16_384;

const CUT: ReadonlySet<string> = new Set(['url', 'pendingUrl', 'title']);
/** Properties of tabs that contain icons. A PNG image of the browser (`icon`) is below the limit. */
const ICONS: ReadonlySet<string> = new Set(['favIconUrl', 'icon']);

/**
 * Returns a value of Chrome without texts above {@link MAX_TAB_TEXT_CHARS}, also within lists and other
 * objects. Cuts addresses and titles, so that the reader still sees the site. A part of an icon is useless,
 * so a long icon becomes the empty text. Chrome uses the empty text for a tab that has no icon yet.
 */
export function withShortTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withShortTexts);
  if (!isRecord(value)) return value;
  const properties = Object.entries(value);
  return Object.fromEntries(properties.map(([name, part]) => [name, shortened(name, part)]));
}

function shortened(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return withShortTexts(value);
  if (value.length <= MAX_TAB_TEXT_CHARS) return value;
  if (CUT.has(name)) return value.slice(0, MAX_TAB_TEXT_CHARS);
  return ICONS.has(name) ? '' : value;
}
