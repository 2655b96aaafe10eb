import { isRecord } from '../../../platform/is-record.js';
import { MAX_ADDRESS_CHARS } from '../../browser/pages/shown-address.js';

const CUT: ReadonlySet<string> = new Set(['url', 'pendingUrl', 'title']);
/** Properties of tabs that contain icons. A PNG image of the browser (`icon`) is below the limit. */
const ICONS: ReadonlySet<string> = new Set(['favIconUrl', 'icon']);

/**
 * Returns a value of Chrome without texts above {@link MAX_ADDRESS_CHARS}, also within lists and other
 * objects. Each event of a tab would send them to all subscribed viewers. Cuts addresses and titles, so that
 * the reader still sees the site. A part of an icon, which may be a `data:` address, is useless. So a long
 * icon becomes the empty text. Chrome uses the empty text for a tab that has no icon yet.
 */
export function withShortTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withShortTexts);
  if (!isRecord(value)) return value;
  const properties = Object.entries(value);
  return Object.fromEntries(properties.map(([name, part]) => [name, shortened(name, part)]));
}

function shortened(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return withShortTexts(value);
  if (value.length <= MAX_ADDRESS_CHARS) return value;
  if (CUT.has(name)) return value.slice(0, MAX_ADDRESS_CHARS);
  return ICONS.has(name) ? '' : value;
}
