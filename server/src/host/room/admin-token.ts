import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares tokens with the session's admin token, of which a host knows only the hash (SHA-256, base64url). */
export function adminTokenCheck(hash: string): (token: string) => boolean {
  const expected = Buffer.from(hash, 'base64url');
  return (token) => {
    const given = createHash('sha256').update(token).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
}
