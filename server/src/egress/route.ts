import { withoutBrackets } from '../platform/network/host-name.js';
import { CodedError } from '../platform/coded-error.js';

/**
 * A route to a host: direct, or through a proxy. A PAC script names a proxy with `PROXY`, `HTTP`, `HTTPS` or
 * `SOCKS`.
 */
export type Route =
  { kind: 'direct' } | { kind: 'http' | 'https' | 'socks4' | 'socks5'; host: string; port: number };

/** Returns the routes to an address, best first. Rejects with {@link RouteError}. */
export type Router = (url: string) => Promise<readonly Route[]>;

/**
 * A request is invalid or not supported, or the session's proxy cannot be used. The message is a sentence for
 * the viewer.
 */
export class RouteError extends CodedError {
  readonly code = 'err_egress_proxy';
}

/** Router of a session without a customer's proxy. */
export const straight: Router = () => Promise.resolve([{ kind: 'direct' }]);

const KINDS = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS: 'socks4',
  SOCKS4: 'socks4',
  SOCKS5: 'socks5',
} as const;
const DEFAULT_PORTS = { http: 80, https: 443, socks4: 1080, socks5: 1080 };

/** Maximum number of routes to one address. Each dead proxy delays a request by up to 20 seconds. */
const MAX_ROUTES = 8;

/**
 * Parses the answer of a proxy auto-configuration script. Ignores unknown entries, as browsers do. Also
 * ignores all routes after the first {@link MAX_ROUTES}.
 */
export function parseRoutes(answer: string): Route[] {
  const routes = answer.split(';').flatMap((entry): Route[] => {
    const [word = '', place = ''] = entry.trim().split(/\s+/);
    const name = word.toUpperCase();
    if (name === 'DIRECT') return [{ kind: 'direct' }];
    if (!isKind(name)) return [];
    const kind = KINDS[name];
    const target = parseAuthority(place, DEFAULT_PORTS[kind]);
    return target ? [{ kind, ...target }] : [];
  });
  return routes.slice(0, MAX_ROUTES);
}

function isKind(name: string): name is keyof typeof KINDS {
  return name in KINDS;
}

/**
 * Parses `host:port`. Returns undefined if the text is invalid. Returns an IP address in its usual spelling.
 */
export function parseAuthority(
  text: string,
  defaultPort?: number,
): { host: string; port: number } | undefined {
  if (!/^[^/?#@\\]+$/.test(text)) return undefined;
  // Parses the port separately, because the URL parser removes port 80, which would then look like a missing
  // port.
  const digits = /:(\d{1,5})$/.exec(text)?.[1];
  const port = digits === undefined ? defaultPort : Number(digits);
  const name = digits === undefined ? text : text.slice(0, -digits.length - 1);
  if (port === undefined || port < 1 || port > 65_535 || !URL.canParse(`http://${name}/`)) return undefined;
  const { hostname, port: second } = new URL(`http://${name}/`);
  return hostname === '' || second !== '' ? undefined : { host: withoutBrackets(hostname), port };
}
