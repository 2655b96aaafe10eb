import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { withoutBrackets } from '../../platform/network/host-name.js';
import type { ValueType } from './variable.js';

/** A text without control characters and without characters above U+00FF. */
const HEADER_TEXT = /^[\x20-\x7e\xa0-\xff]+$/;

/**
 * Returns a value type. `parse` converts a text, and returns undefined if the text is invalid. `expected`
 * describes the valid values in errors, in the help and in the documentation.
 */
export function values<T>(expected: string, parse: (text: string) => T | undefined): ValueType<T> {
  return { expected, allowed: expected, parse };
}

/** Allows whole numbers from `lowest` to `highest`. */
export function integer(lowest: number, highest: number): ValueType<number> {
  return {
    expected: `a whole number from ${lowest} to ${highest}`,
    allowed: `${lowest} to ${highest}`,
    parse: (value) => {
      const number = /^\d{1,10}$/.test(value) ? Number(value) : NaN;
      return number >= lowest && number <= highest ? number : undefined;
    },
  };
}

/** Allows a name that fits into an index of the database and into logs. */
export function name(): ValueType<string> {
  return values('at most 200 characters, without control characters', (value) =>
    /^\P{Cc}{1,200}$/u.test(value) ? value : undefined,
  );
}

/**
 * Allows IP addresses and host names. Removes the brackets of an IPv6 address, because `listen` does not
 * accept them. Refuses short forms of IPv4 addresses such as `0`: code that compares addresses, for example
 * with the wildcard address, does not know them.
 */
export function listenAddress(): ValueType<string> {
  return values('an IP address or a host name, such as `0.0.0.0`, `::1` or `localhost`', (value) => {
    const host = withoutBrackets(value);
    if (isIP(host) !== 0) return host;
    const isName = /^[a-z\d_]([a-z\d_.-]*[a-z\d_])?\.?$/i.test(value);
    return isName && !/(^|\.)(\d+|0x[\da-f]*)\.?$/i.test(value) ? value : undefined;
  });
}

/** Allows absolute paths. */
export function directory(): ValueType<string> {
  return values('an absolute path', (value) => (isAbsolute(value) ? value : undefined));
}

/** Allows the given words. */
export function oneOf<const T extends string>(words: readonly T[]): ValueType<T> {
  const quoted = words.map((word) => `\`${word}\``);
  return values(`${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`, (value) =>
    words.find((word) => word === value),
  );
}

/**
 * Allows one or several of the given words. `words` must be in upper case. The value of the variable may be
 * in upper or lower case.
 */
export function someOf<const T extends string>(words: readonly T[]): ValueType<readonly T[]> {
  const isWord = (value: string): value is T => words.some((word) => word === value);
  return values(
    `one or several of ${words.map((word) => `\`${word}\``).join(', ')}, separated by commas`,
    (value) => {
      const entries = entriesOf(value.toUpperCase());
      return entries.every(isWord) ? [...new Set(entries)] : undefined;
    },
  );
}

/**
 * Allows one or several keys, separated by commas. Refuses keys that no client can send, for example keys
 * with line breaks between them.
 */
export function keys(): ValueType<readonly string[]> {
  return values(
    'one key or several separated by commas, of characters that an HTTP header can contain',
    (value) => {
      const entries = entriesOf(value);
      return entries.every((key) => HEADER_TEXT.test(key)) ? entries : undefined;
    },
  );
}

/** Allows addresses of name servers, each with or without a port. */
export function nameServers(): ValueType<readonly string[]> {
  return values('addresses separated by commas, each optionally with `:port`', (value) => {
    const servers = entriesOf(value);
    return servers.every(isNameServer) ? servers : undefined;
  });
}

/** Allows `http` and `https` addresses that consist of a host and an optional port. */
export function hostAddress(example: string): ValueType<string> {
  return values(`an http or https address without path or query, such as \`${example}\``, (value) => {
    const url = parseHttpAddress(value);
    return url !== undefined && new URL(url).pathname === '/' ? url : undefined;
  });
}

/**
 * Parses an `http` or `https` address. Returns undefined for other texts, and for addresses with a query, a
 * fragment or credentials. Removes slashes at the end.
 */
function parseHttpAddress(value: string): string | undefined {
  if (!URL.canParse(value)) return undefined;
  const url = new URL(value);
  const usable =
    /^https?:$/.test(url.protocol) &&
    !url.host.includes('*') &&
    !url.search &&
    !url.hash &&
    !url.username &&
    !url.password;
  return usable ? url.href.replace(/\/+$/, '') : undefined;
}

/** Splits a text at its commas, and removes white space around each entry. */
export function entriesOf(value: string): string[] {
  return value.split(',').map((entry) => entry.trim());
}

/**
 * True for `address` or `address:port`. An IPv6 address with a port is in brackets. Refuses port 0, because
 * `Resolver.setServers` aborts the whole process for it.
 */
function isNameServer(text: string): boolean {
  const [, address = text, port = '53'] =
    /^(?:\[(.+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text)?.filter(Boolean) ?? [];
  return isIP(address) !== 0 && Number(port) >= 1 && Number(port) <= 65_535;
}
