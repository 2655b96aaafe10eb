import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Bytes of the secret and of the id of a token. */
const [SECRET_BYTES, ID_BYTES] = [32, 9];

/** Makes a token: its id, its random secret, and the {@link secretHash} of the secret. */
export function newToken(): { id: string; secret: string; hash: string } {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { id: randomBytes(ID_BYTES).toString('base64url'), secret, hash: secretHash(secret) };
}

/**
 * Compares a candidate with a secret. Takes constant time, so that the duration does not reveal the content
 * or the length of the secret.
 */
export function sameSecret(candidate: string, secret: string): boolean {
  return timingSafeEqual(digest(candidate), digest(secret));
}

/** Returns a hash for checking a secret without storing it: SHA-256, base64url. */
export function secretHash(secret: string): string {
  return digest(secret).toString('base64url');
}

/**
 * Returns a function that compares candidates with the secret of a {@link secretHash}, also in constant time.
 */
export function secretCheck(hash: string): (candidate: string) => boolean {
  const expected = Buffer.from(hash, 'base64url');
  return (candidate) => {
    const given = digest(candidate);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
}

/**
 * Returns the entry whose `hash` is the {@link secretHash} of a candidate. Always compares with all entries,
 * each in constant time.
 */
export function findByHash<Entry extends { readonly hash: string }>(
  candidate: string,
  entries: Iterable<Entry>,
): Entry | undefined {
  const given = digest(candidate);
  let found: Entry | undefined;
  for (const entry of entries) {
    const expected = Buffer.from(entry.hash, 'base64url');
    if (expected.length === given.length && timingSafeEqual(expected, given)) found = entry;
  }
  return found;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
