import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFileAtomic } from '../platform/atomic-file.js';

/** AES-256 wants exactly this many. */
export const PROFILE_KEY_BYTES = 32;

/** The file that holds the key of profiles cannot be used. */
export class ProfileKeyError extends Error {
  readonly code = 'err_profile_key';

  constructor(path: string) {
    super(
      `${path} does not hold a key. Restore it, set PROFILE_KEY, or remove it: profiles saved so far are then lost.`,
    );
    this.name = 'ProfileKeyError';
  }
}

/**
 * The key that is generated when none is configured: made at the first start, readable by the service alone. Throws
 * {@link ProfileKeyError}.
 */
export async function loadProfileKey(stateDir: string): Promise<Buffer> {
  const path = join(stateDir, 'profile.key');
  await createFileAtomic(path, `${randomBytes(PROFILE_KEY_BYTES).toString('base64url')}\n`);
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url');
  if (key.length !== PROFILE_KEY_BYTES) throw new ProfileKeyError(path);
  return key;
}
