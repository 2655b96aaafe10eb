import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares in a time that tells nothing about the secret, neither its content nor its length. */
export function sameSecret(candidate: string, secret: string): boolean {
  return timingSafeEqual(digest(candidate), digest(secret));
}

/** What tells whether a secret is right without telling it: SHA-256, base64url. */
export function secretHash(secret: string): string {
  return digest(secret).toString('base64url');
}

/** Compares with the secret that has this {@link secretHash}, likewise. */
export function secretCheck(hash: string): (candidate: string) => boolean {
  const expected = Buffer.from(hash, 'base64url');
  return (candidate) => {
    const given = digest(candidate);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
