import { escapePattern } from '../escape-pattern.js';

/** A glob, converted to regular expressions. The properties are their sources. Use them with the flag `i`. */
export interface UrlPattern {
  /** For a whole address without its fragment. */
  whole: string;
  /** For scheme and host followed by `/`, if only these parts of an address are available. */
  site: string;
}

/** Scheme, host with port, and the rest. The scheme is optional. */
const PARTS = /^(?:([a-z*][a-z0-9+.*-]*):\/\/)?((?:\[[^\]/]*\]|[^/:]+)(?::(?:\d+|\*))?)(\/.*)?$/i;

/**
 * Parses a glob of addresses: a match pattern of browser extensions, with `*` allowed anywhere. Returns
 * undefined if it is invalid.
 * - `*` alone and `<all_urls>` match every address.
 * - `*://` and a missing scheme match http and https.
 * - `*.example.com` matches that domain and all its subdomains.
 * - A missing port matches every port. A missing path matches every path.
 *
 * Source: developer.chrome.com, "Match patterns".
 */
export function urlPattern(glob: string): UrlPattern | undefined {
  const text = glob.trim();
  if (text === '*' || text === '<all_urls>') return { whole: '^', site: '^' };
  const [match, scheme = '*', host = '', path = ''] = PARTS.exec(text) ?? [];
  if (match === undefined || /\s/.test(text)) return undefined;
  const start = `^${scheme === '*' ? 'https?' : literal(scheme, '[^:/]*')}://${hostOf(host)}`;
  return { whole: `${start}${pathOf(path)}$`, site: `${start}/$` };
}

function hostOf(host: string): string {
  const port = /:(\d+|\*)$/.exec(host)?.[1];
  const name = port === undefined ? host : host.slice(0, -port.length - 1);
  const below = name.startsWith('*.')
    ? `(?:[^/]+\\.)?${literal(name.slice(2), '[^/]*')}`
    : literal(name, '[^/]*');
  return `${below}${port === undefined || port === '*' ? '(?::\\d+)?' : `:${port}`}`;
}

/** Returns the pattern of a path. A path without a query matches every query. */
function pathOf(path: string): string {
  if (path === '' || path === '/*') return '(?:[/?].*)?';
  return path.includes('?') ? literal(path, '.*') : `${literal(path, '.*')}(?:\\?.*)?`;
}

function literal(text: string, star: string): string {
  return text.split('*').map(escapePattern).join(star);
}
