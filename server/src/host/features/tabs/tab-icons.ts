import { isRecord } from '../../../platform/is-record.js';

/**
 * Maximum number of characters of a tab's `favIconUrl`. A page can put megabytes into the `data:` address of
 * its icon and change it all the time. Each event of the tab would send them to all subscribed viewers.
 */
export const MAX_ICON_CHARS = 16_384;
/** Properties of tabs that contain icons. A PNG image of the browser (`icon`) is below the limit. */
const ICONS: ReadonlySet<string> = new Set(['favIconUrl', 'icon']);

/**
 * Returns a value of Chrome in which each icon above {@link MAX_ICON_CHARS} is an empty text, also within
 * lists and other objects. Chrome uses the empty text for a tab that has no icon yet.
 */
export function withoutLargeIcons(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLargeIcons);
  if (!isRecord(value)) return value;
  const properties = Object.entries(value);
  return Object.fromEntries(
    properties.map(([name, part]) => [name, isLargeIcon(name, part) ? '' : withoutLargeIcons(part)]),
  );
}

function isLargeIcon(name: string, value: unknown): boolean {
  return ICONS.has(name) && typeof value === 'string' && value.length > MAX_ICON_CHARS;
}
