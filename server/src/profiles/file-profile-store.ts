import { mkdir, readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import type { HostPlace } from '../host-protocol.js';
import { isTemporary, writeFileAtomic } from '../platform/atomic-file.js';
import type { Log } from '../platform/log.js';
import { ServiceError } from '../service-error.js';
import type { ProfileStore } from '../sessions/ports.js';
import { MAX_PROFILE_BYTES, packProfile, unpackProfile } from './profile-archive.js';
import { seal, unseal } from './seal.js';

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** Profiles as sealed files, one each, replaced atomically: a save that is cut off leaves the old one. */
export class FileProfileStore implements ProfileStore {
  private constructor(
    private readonly directory: string,
    private readonly key: Uint8Array,
    private readonly log: Log,
  ) {}

  /** Removes what saves that were cut off left behind. */
  static async open(stateDir: string, key: Uint8Array, log: Log): Promise<FileProfileStore> {
    const directory = join(stateDir, 'profiles');
    await mkdir(directory, { recursive: true, mode: 0o700 });
    for (const name of await readdir(directory)) if (isTemporary(name)) await unlink(join(directory, name));
    return new FileProfileStore(directory, key, log);
  }

  async load(id: string, place: HostPlace): Promise<void> {
    const sealed = await readFile(this.#pathOf(id)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        throw new ServiceError('err_profile_not_found', id);
      throw error;
    });
    let archive: Buffer;
    try {
      archive = await expand(unseal(sealed, id, this.key), { maxOutputLength: MAX_PROFILE_BYTES });
    } catch (error) {
      this.log.warn('a profile cannot be loaded', { profile: id, bytes: sealed.length, error });
      throw new ServiceError('err_profile_unreadable', id);
    }
    await unpackProfile(archive, place);
  }

  async save(id: string, place: HostPlace): Promise<void> {
    const archive = await packProfile(place);
    const packed = await compress(archive, { level: constants.Z_BEST_SPEED });
    const sealed = seal(packed, id, this.key);
    await writeFileAtomic(this.#pathOf(id), sealed);
    this.log.info('profile kept', { profile: id, bytes: sealed.length, unpacked: archive.length });
  }

  #pathOf(id: string): string {
    return join(this.directory, `${id}.profile`);
  }
}
