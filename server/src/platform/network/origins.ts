import { isLoopbackName } from './loopback.js';

/** The pages that may show sessions. */
export class AllowedOrigins {
  /**
   * @param listed origins such as `https://example.com`. Undefined if all pages may show sessions
   * @param own returns the address of this service's own pages
   */
  constructor(
    readonly listed: readonly string[] | undefined,
    private readonly own: () => string,
  ) {}

  /** Parses a list of origins. Returns undefined if an entry is invalid. */
  static parse(entries: readonly string[]): string[] | undefined {
    const origins = entries.map(originOf);
    return origins.every((origin) => origin !== undefined) ? origins : undefined;
  }

  /**
   * True if a page of this origin may connect to a session. Programs other than browsers send no origin. They
   * are allowed, because the list restricts only pages.
   */
  allows(origin: string | undefined): boolean {
    if (!this.listed || origin === undefined) return true;
    return this.listed.includes(origin) || this.#isOwn(origin);
  }

  /**
   * True if a client with this origin may drive sessions. Programs send no origin and are allowed. Pages are
   * allowed only if their origin is listed.
   */
  mayAutomate(origin: string | undefined): boolean {
    return origin === undefined || (this.listed?.includes(origin) ?? false);
  }

  /** True for the service's own pages. All names of the local machine count as the same. */
  #isOwn(origin: string): boolean {
    if (!URL.canParse(origin)) return false;
    const [theirs, own] = [new URL(origin), new URL(this.own())];
    const local = [theirs, own].every(({ hostname }) => isLoopbackName(hostname));
    return (
      theirs.origin === own.origin || (local && theirs.protocol === own.protocol && theirs.port === own.port)
    );
  }
}

/** Schemes whose pages have no origin with a host, or that have no pages. */
const NO_SCHEME_OF_PAGES = /^(?:file|ftp|wss?|data|blob|about|javascript):/;

/**
 * Returns an origin in the form that browsers use. The host must not contain special characters, because the
 * origin becomes part of headers. Packaged apps and extensions have schemes of their own, such as
 * `capacitor://localhost`.
 */
function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, host } = new URL(text);
  const isPlain = /^[a-z\d.-]+$|^\[[\da-f:]+\]$/.test(hostname);
  // `URL.origin` is "null" for other schemes than those of the web.
  const origin = `${protocol}//${host}`;
  if (!isPlain || NO_SCHEME_OF_PAGES.test(protocol)) return undefined;
  return text === origin || text === `${origin}/` ? origin : undefined;
}
