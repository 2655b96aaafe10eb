import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileProfileStore } from '../../../server/src/profiles/file-profile-store.js';

/** Saves a profile with one changing file again and again, until it is killed: for `file-profile-store.test.ts`. */
const [stateDir = '', directory = '', id = ''] = process.argv.slice(2);
const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const key = createHash('sha256').update('key').digest();
const store = await FileProfileStore.open({ stateDir, key, maxBytes: 2 ** 30, log });
const profile = join(directory, 'browser', 'profile');
await mkdir(profile, { recursive: true });
for (let round = 1; ; round++) {
  await writeFile(join(profile, 'content'), `${round}\n`.repeat(50_000));
  await store.save(id, { directory, extensions: '' });
  process.stdout.write(`${round}\n`);
}
