import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../server/src/platform/time/clock.js';
import { PlaceCleanup } from '../../server/src/pool/place-cleanup.js';
import { Places } from '../../server/src/pool/places.js';
import { FileProfileStore } from '../../server/src/profiles/file-profile-store.js';
import { workingCopyOf } from '../fakes/working-copy.js';

/**
 * Writes a profile with one changing file into a place and saves it repeatedly until it is killed, for
 * `file-profile-store.test.ts`. Prints the round before each save.
 */
const [stateDir = '', runtimeDir = '', id = '', first = ''] = process.argv.slice(2);
const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const key = createHash('sha256').update('key').digest();
const store = await FileProfileStore.open({ stateDir, key, maxBytes: 2 ** 30, clock: systemClock, log });
const places = await Places.open(runtimeDir, undefined, stateDir);
const cleanup = new PlaceCleanup(places, systemClock, log);
const workingCopy = workingCopyOf(id);
const save = { workingCopy, run: store.save.bind(store, id), failed: () => 'later' as const };
for (let round = Number(first); ; round++) {
  const place = await places.take();
  if (!place) throw new Error('There is no place.');
  const profile = join(place.directory, 'browser', 'profile');
  await mkdir(profile, { recursive: true });
  await writeFile(join(profile, 'content'), `${round}\n`.repeat(50_000));
  await places.keep(place, workingCopy);
  process.stdout.write(`${round}\n`);
  await cleanup.saveAndRelease(place, save);
}
