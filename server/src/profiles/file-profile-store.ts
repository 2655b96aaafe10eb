import { open, readdir, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostPlace } from '../host-protocol.js';
import { isTemporary, writeFileAtomic } from '../platform/files/atomic-file.js';
import { makeDirectory } from '../platform/files/make-directory.js';
import { Lanes } from '../platform/time/lanes.js';
import type { Log } from '../platform/log.js';
import { machineSize } from '../platform/process/machine-resources.js';
import { ServiceError } from '../service-error.js';
import type { ProfileStore } from '../sessions/ports.js';
import { ProfileTooLargeError } from '../sessions/profiles/profile-save.js';
import { packProfile, unpackProfile, type ArchiveTools } from './profile-archive.js';
import { SealBrokenError } from './seal.js';
import { sealInto, unsealFrom, type Bytes } from './sealed-file.js';

/** Parts of a {@link FileProfileStore}. */
export interface FileProfileStoreParts extends ArchiveTools {
  stateDir: string;
  /** Encryption key, 32 bytes. */
  key: Uint8Array;
  /**
   * Maximum size of a profile: bytes of its tar archive before compression. A larger profile is not saved.
   */
  maxBytes: number;
  log: Log;
}

/** Bytes of a sealed profile, and of its tar archive before compression. */
export interface ProfileSizes {
  bytes: number;
  unpacked: number;
}

/**
 * Stores each profile in a sealed file: compressed and encrypted. A save replaces the file atomically, so an
 * interrupted save keeps the old file. Profiles are processed in small chunks, so a large profile needs no
 * more memory than a small one. Compression is the slowest step of a save, so only one save per processor
 * runs at the same time. On a machine with one processor, two saves can run.
 */
export class FileProfileStore implements ProfileStore {
  readonly #lanes = new Lanes(Math.max(2, machineSize().cores));

  private constructor(
    private readonly directory: string,
    private readonly parts: FileProfileStoreParts,
  ) {}

  /** Opens the store. Removes files of interrupted saves. */
  static async open(parts: FileProfileStoreParts): Promise<FileProfileStore> {
    const directory = join(parts.stateDir, 'profiles');
    await makeDirectory(directory);
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

  async save(id: string, place: HostPlace): Promise<void> {
    const sizes = await this.write(id, place);
    this.parts.log.info('profile saved', { profile: id, ...sizes });
  }

  /** Writes a profile to its file, see {@link pathOf}. Rejects with the errors of {@link save}. */
  write(id: string, place: HostPlace): Promise<ProfileSizes> {
    return this.#lanes.run(() => this.#write(id, place));
  }

  /** Loads a sealed profile from an open file. The caller closes the file. */
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

  async #write(id: string, place: HostPlace): Promise<ProfileSizes> {
    const { key, maxBytes } = this.parts;
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
    return { bytes, unpacked };
  }

  /** Returns the path of a sealed profile. */
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
