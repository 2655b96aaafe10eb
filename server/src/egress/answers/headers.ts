/**
 * Headers that are not passed on: headers about one connection (RFC 9110, section 7.6.1), and headers for the
 * authentication at a proxy.
 */
const HOP_BY_HOP = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['proxy-authenticate', 'proxy-authorization', 'proxy-authentication-info'],
]);

/**
 * Header that a `Connection` header cannot remove. Without the length of a body, the receiver would read the
 * body as the next message on the connection.
 */
const LENGTH = 'content-length';

/**
 * Returns the headers to pass on, as alternating names and values. Leaves out the headers about the
 * connection.
 *
 * @param without more names to leave out, in lower case
 */
export function passOn(rawHeaders: readonly string[], without: readonly string[] = []): string[] {
  const named = new Set<string>();
  for (const [name, value] of pairs(rawHeaders))
    if (name.toLowerCase() === 'connection')
      for (const token of value.split(',')) named.add(token.trim().toLowerCase());
  named.delete(LENGTH);
  for (const name of without) named.add(name);
  const kept: string[] = [];
  for (const [name, value] of pairs(rawHeaders)) {
    const lower = name.toLowerCase();
    if (!HOP_BY_HOP.has(lower) && !named.has(lower)) kept.push(name, value);
  }
  return kept;
}

function* pairs(rawHeaders: readonly string[]): Generator<[name: string, value: string]> {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    yield [rawHeaders[index] ?? '', rawHeaders[index + 1] ?? ''];
}
