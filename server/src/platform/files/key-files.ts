import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFileAtomic } from './atomic-file.js';
import { CodedError } from '../coded-error.js';
import type { Log } from '../log.js';

/** AES-256 needs exactly this many bytes. A longer key would not improve HMAC-SHA256. */
const KEY_BYTES = 32;

/** Thrown if the file with the server key cannot be used. */
export class ServerKeyError extends CodedError {
  readonly code = 'err_server_key';
}

/** Thrown if the file with the key of profiles cannot be used. */
export class ProfileKeyError extends CodedError {
  readonly code = 'err_profile_key';
}

/**
 * Returns the secret from which all tokens are derived. Creates it at the first start. The secret has a file
 * of its own, so that a copy of the records alone gives no access. Throws {@link ServerKeyError}.
 */
export async function loadServerKey(stateDir: string): Promise<Buffer> {
  const path = join(stateDir, 'server.key');
  const advice = `${path} contains no server key. Restore the file, or remove it. After a removal, all addresses that were issued before stop working.`;
  return loadKey(path, new ServerKeyError(advice));
}

/**
 * Returns the generated key of profiles, for services without a configured key. Creates it at the first
 * start. If there are saved profiles already, logs a warning, because the new key does not open them. Throws
 * {@link ProfileKeyError}.
 */
export async function loadProfileKey(stateDir: string, log: Pick<Log, 'warn'>): Promise<Buffer> {
  const path = join(stateDir, 'profile.key');
  const advice = `${path} contains no key. Restore the file, set PROFILE_KEY, or remove the file. After a removal, all saved profiles are lost.`;
  return loadKey(path, new ProfileKeyError(advice), async () => {
    const profiles = await readdir(join(stateDir, 'profiles')).catch(() => []);
    if (profiles.length > 0) log.warn('a new key of profiles was made', { path, profiles: profiles.length });
  });
}

async function loadKey(path: string, unusable: CodedError, onCreated?: () => Promise<void>): Promise<Buffer> {
  const created = await createFileAtomic(path, `${randomBytes(KEY_BYTES).toString('base64url')}\n`);
  if (created) await onCreated?.();
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url');
  if (key.length !== KEY_BYTES) throw unusable;
  return key;
}
