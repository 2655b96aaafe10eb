/** A glob as sources of regular expressions, to be used without regard to case. */
export interface UrlPattern {
  /** For a whole address without its fragment. */
  whole: string;
  /** For scheme and host alone, followed by `/`: where no more is known of an address. */
  site: string;
}

/** Scheme, host with port, and the rest; the scheme may be left out. */
const PARTS = /^(?:([a-z*][a-z0-9+.*-]*):\/\/)?((?:\[[^\]/]*\]|[^/:]+)(?::(?:\d+|\*))?)(\/.*)?$/i;

/**
 * Reads a glob of addresses: a match pattern as browser extensions have them, with `*` allowed anywhere. `*` alone and `<all_urls>`
 * mean every address. `*://` is http and https, and so is a scheme that is left out; `*.example.com` is that domain and all below it;
 * without a port every port is meant, without a path every path. Undefined when it is none.
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

/** A path that says nothing of a query is meant with each. */
function pathOf(path: string): string {
  if (path === '' || path === '/*') return '(?:[/?].*)?';
  return path.includes('?') ? literal(path, '.*') : `${literal(path, '.*')}(?:\\?.*)?`;
}

function literal(text: string, star: string): string {
  return text
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join(star);
}
