import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFileAtomic } from '../platform/atomic-file.js';

const KEY_BYTES = 32;

/** The file that holds the server key cannot be used. */
export class ServerKeyError extends Error {
  readonly code = 'err_server_key';

  constructor(path: string) {
    super(
      `${path} does not hold a server key. Restore it, or remove it: every address issued so far then stops working.`,
    );
    this.name = 'ServerKeyError';
  }
}

/**
 * The secret that all tokens are derived from, made at the first start. It lies apart from the records, so that a copy of
 * the records opens nothing. Throws {@link ServerKeyError}.
 */
export async function loadServerKey(stateDir: string): Promise<Buffer> {
  const path = join(stateDir, 'server.key');
  await createFileAtomic(path, `${randomBytes(KEY_BYTES).toString('base64url')}\n`);
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url');
  if (key.length !== KEY_BYTES) throw new ServerKeyError(path);
  return key;
}
