import { isLoopbackName } from './loopback.js';

/** The pages that may show sessions. */
export class AllowedOrigins {
  /**
   * @param listed origins such as `https://example.com`; undefined: pages anywhere
   * @param own where this service's own pages are
   */
  constructor(
    readonly listed: readonly string[] | undefined,
    private readonly own: () => string,
  ) {}

  /** Reads a list of origins; undefined when an entry is none. */
  static parse(entries: readonly string[]): string[] | undefined {
    const origins = entries.map(originOf);
    return origins.every((origin) => origin !== undefined) ? origins : undefined;
  }

  /** Whether a page of this origin may open a session's connection. A program, which has no origin, may: it needs no page. */
  allows(origin: string | undefined): boolean {
    if (!this.listed || origin === undefined) return true;
    return this.listed.includes(origin) || this.#isOwn(origin);
  }

  /** Names of this machine are one to its own user. */
  #isOwn(origin: string): boolean {
    if (!URL.canParse(origin)) return false;
    const [theirs, own] = [new URL(origin), new URL(this.own())];
    const local = [theirs, own].every(({ hostname }) => isLoopbackName(hostname));
    return (
      theirs.origin === own.origin || (local && theirs.protocol === own.protocol && theirs.port === own.port)
    );
  }
}

/** An origin as browsers write it. It becomes a part of headers, so its host has no sign that means something there. */
function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, protocol, hostname } = new URL(text);
  const isPlain = /^https?:$/.test(protocol) && /^[a-z\d.-]+$|^\[[\da-f:]+\]$/.test(hostname);
  return isPlain && (text === origin || text === `${origin}/`) ? origin : undefined;
}
