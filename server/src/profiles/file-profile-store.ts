import { mkdir, open, readdir, unlink, type FileHandle } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { HostPlace } from '../host-protocol.js';
import { isTemporary, writeFileAtomic } from '../platform/atomic-file.js';
import { Lanes } from '../platform/lanes.js';
import type { Log } from '../platform/log.js';
import { ServiceError } from '../service-error.js';
import type { ProfileStore } from '../sessions/ports.js';
import { ProfileTooLargeError } from '../sessions/profile-save.js';
import { packProfile, unpackProfile, type ArchiveTools } from './profile-archive.js';
import { SealBrokenError } from './seal.js';
import { sealInto, unsealFrom, type Bytes } from './sealed-file.js';

/** What a {@link FileProfileStore} is made of. */
export interface FileProfileStoreParts extends ArchiveTools {
  stateDir: string;
  /** 32 bytes. */
  key: Uint8Array;
  /** A larger profile is not saved. Bytes of its files. */
  maxBytes: number;
  log: Log;
}

/**
 * Profiles as sealed files, one each, replaced atomically: a save that is cut off leaves the old one. They pass through memory a
 * few chunks at a time, whatever their size, and no more at once than there are processors to compress them.
 */
export class FileProfileStore implements ProfileStore {
  readonly #lanes = new Lanes(Math.max(2, availableParallelism()));

  private constructor(
    private readonly directory: string,
    private readonly parts: FileProfileStoreParts,
  ) {}

  /** Removes what saves that were cut off left behind. */
  static async open(parts: FileProfileStoreParts): Promise<FileProfileStore> {
    const directory = join(parts.stateDir, 'profiles');
    await mkdir(directory, { recursive: true, mode: 0o700 });
    for (const name of await readdir(directory)) if (isTemporary(name)) await unlink(join(directory, name));
    return new FileProfileStore(directory, parts);
  }

  async load(id: string, place: HostPlace): Promise<void> {
    const file = await open(this.pathOf(id)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        throw new ServiceError('err_profile_not_found', id);
      throw error;
    });
    try {
      await this.loadFrom(file, id, place);
    } finally {
      await file.close();
    }
  }

  save(id: string, place: HostPlace): Promise<void> {
    return this.#lanes.run(() => this.#save(id, place));
  }

  /** Loads a sealed profile that lies anywhere, from a file that the caller closes. */
  async loadFrom(file: FileHandle, id: string, place: HostPlace): Promise<void> {
    try {
      await unsealFrom(file, { id, key: this.parts.key }, (archive) =>
        unpackProfile(archive, place, this.parts),
      );
    } catch (error) {
      if (!(error instanceof SealBrokenError)) throw error;
      this.parts.log.warn('a profile cannot be loaded', { profile: id, error });
      throw new ServiceError('err_profile_unreadable', id);
    }
  }

  async #save(id: string, place: HostPlace): Promise<void> {
    const { key, maxBytes, log } = this.parts;
    let [unpacked, bytes] = [0, 0];
    const archive = counted(packProfile(place, this.parts), (size) => {
      unpacked += size;
      if (unpacked > maxBytes) throw new ProfileTooLargeError(maxBytes);
    });
    await sealInto(archive, { id, key }, (sealed) =>
      writeFileAtomic(
        this.pathOf(id),
        counted(sealed, (size) => (bytes += size)),
      ),
    );
    log.info('profile kept', { profile: id, bytes, unpacked });
  }

  /** Where a profile lies, sealed. */
  pathOf(id: string): string {
    return join(this.directory, `${id}.profile`);
  }
}

async function* counted(stream: Bytes, add: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const part of stream) {
    add(part.length);
    yield part;
  }
}
