import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { HostPlace } from '../../../server/src/host-protocol.js';
import type { ProfileStore } from '../../../server/src/sessions/ports.js';

/** Maximum size of a profile in the stores under test, in bytes. */
export const MAX_BYTES = 8 * 2 ** 20;
/** The key of the stores under test. */
export const KEY = Buffer.alloc(32, 5);
const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';

/** Opens a store, always the same one, optionally with another key. */
export type OpenProfiles = (key?: Buffer) => Promise<ProfileStore>;

let root = '';
let places = 0;

/** The place of a session, with these files in its profile. */
export async function placeWith(files: Record<string, string | Buffer> = {}): Promise<HostPlace> {
  root ||= await mkdtemp(join(tmpdir(), 'cloud-browser-places-'));
  const directory = join(root, `place${++places}`);
  await mkdir(join(directory, 'browser', 'profile'), { recursive: true });
  for (const [name, content] of Object.entries(files))
    await writeFile(join(directory, 'browser', 'profile', name), content);
  return { directory, extensions: '' };
}

/** Removes all created places at the end of a test file. */
export function removePlaces(): Promise<void> {
  return rm(root, { recursive: true, force: true });
}

/** A file of the profile in a place. */
export function inProfile(place: HostPlace, name: string): Promise<Buffer> {
  return readFile(join(place.directory, 'browser', 'profile', name));
}

/** Contract of every store of profiles. */
export function profileStoreContract(name: string, start: () => Promise<OpenProfiles>): void {
  describe(`a profile store (${name})`, () => {
    let open: OpenProfiles;
    before(async () => void (open = await start()));

    it('does not find a profile that was never saved', async () => {
      const load = (await open()).load(ID, await placeWith());
      await assert.rejects(load, { code: 'err_profile_not_found' });
    });

    it('returns the last saved profile, also after a restart', async () => {
      const large = randomBytes(3 * 2 ** 20 + 17);
      await (await open()).save(ID, await placeWith({ Cookies: 'first' }), null);
      await (await open()).save(ID, await placeWith({ Cookies: 'second', large }), null);
      const place = await placeWith();
      await (await open()).load(ID, place);
      assert.equal((await inProfile(place, 'Cookies')).toString(), 'second');
      assert.ok(large.equals(await inProfile(place, 'large')));
    });

    it('keeps the old profile if a new one is too large', async () => {
      const store = await open();
      await store.save(ID, await placeWith({ Cookies: 'small' }), null);
      const huge = await placeWith({ Cookies: 'huge', huge: randomBytes(MAX_BYTES + 1) });
      await assert.rejects(store.save(ID, huge, null), { code: 'err_profile_too_large' });
      const place = await placeWith();
      await store.load(ID, place);
      assert.equal((await inProfile(place, 'Cookies')).toString(), 'small');
    });

    it('refuses a profile sealed with another key or for another profile', async () => {
      await (await open()).save(ID, await placeWith({ Cookies: 'mine' }), null);
      const other = await open(Buffer.alloc(32, 6));
      await assert.rejects(other.load(ID, await placeWith()), { code: 'err_profile_unreadable' });
    });
  });
}
