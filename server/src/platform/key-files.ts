import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFileAtomic } from './atomic-file.js';
import { CodedError } from './coded-error.js';

/** AES-256 takes exactly this many bytes, and more do not improve HMAC-SHA256. */
const KEY_BYTES = 32;

/** The file with the server key cannot be used. */
export class ServerKeyError extends CodedError {
  readonly code = 'err_server_key';
}

/** The file with the key of profiles cannot be used. */
export class ProfileKeyError extends CodedError {
  readonly code = 'err_profile_key';
}

/**
 * Returns the secret that all tokens are derived from. Creates it at the first start. It is stored apart from
 * the records, so a copy of the records gives no access. Throws {@link ServerKeyError}.
 */
export async function loadServerKey(stateDir: string): Promise<Buffer> {
  const path = join(stateDir, 'server.key');
  const advice = `${path} does not hold a server key. Restore it, or remove it: every address issued so far then stops working.`;
  return loadKey(path, new ServerKeyError(advice));
}

/**
 * Returns the generated key of profiles, for services without a configured one. Creates it at the first
 * start. Throws {@link ProfileKeyError}.
 */
export async function loadProfileKey(stateDir: string): Promise<Buffer> {
  const path = join(stateDir, 'profile.key');
  const advice = `${path} does not hold a key. Restore it, set PROFILE_KEY, or remove it: profiles saved so far are then lost.`;
  return loadKey(path, new ProfileKeyError(advice));
}

async function loadKey(path: string, unusable: CodedError): Promise<Buffer> {
  await createFileAtomic(path, `${randomBytes(KEY_BYTES).toString('base64url')}\n`);
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url');
  if (key.length !== KEY_BYTES) throw unusable;
  return key;
}
