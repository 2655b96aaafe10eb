import { randomUUID } from 'node:crypto';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../database/database.js';
import { DatabaseError } from '../database/database-error.js';
import type { Statement } from '../database/statement.js';
import type { HostPlace } from '../host-protocol.js';
import { makeDirectory } from '../platform/files/make-directory.js';
import { ServiceError } from '../service-error.js';
import type { ProfileStore } from '../sessions/ports.js';
import { ProfileGoneError } from '../sessions/profiles/profile-save.js';
import { FileProfileStore, type FileProfileStoreParts } from './file-profile-store.js';

/**
 * Parts of a {@link PostgresProfileStore}. `stateDir` contains the sealed file of a profile while the profile
 * is loaded or saved.
 */
export interface PostgresProfileStoreParts extends FileProfileStoreParts {
  database: Pick<Database, 'rows'>;
}

/**
 * Number of bytes in one piece of a profile, which is one row of the database. Pieces are sent one after the
 * other.
 */
const CHUNK_BYTES = 2 ** 20;
/**
 * Timeout in milliseconds for the transfer of one piece, or for deleting old pieces. It is long because disks
 * may be slow.
 */
const CHUNK_DEADLINE_MS = 30_000;

const PUT_CHUNK: Statement = {
  name: 'profile_put_chunk',
  text: 'insert into profile_chunks (version, number, chunk) values ($1, $2, $3) on conflict do nothing',
};
const GET_CHUNK: Statement = {
  name: 'profile_get_chunk',
  text: 'select chunk from profile_chunks where version = $1 and number = $2',
};
const GET_VERSION: Statement = { name: 'profile_get', text: 'select version from profiles where id = $1' };
/**
 * Replaces a profile and ends the session's claim in the same statement, so that the profile becomes free
 * exactly when its data is saved. A claim is the right of one session to save a profile. If the session has
 * no claim, the statement does nothing. The old pieces stay for nodes that are reading them, see
 * {@link DROP_STALE}.
 *
 * $1 profile, $2 version, $3 bytes, $4 session (null for a save that needs no claim)
 */
const REPLACE: Statement = {
  name: 'profile_replace',
  text: `
    with claim as (
      delete from profile_writers where profile = $1 and session_id = $4::text and given_up_at is null returning 1),
    replaced as (
      update profile_chunks set stored_at = now()
      where number = 0 and version = (select version from profiles where id = $1))
    insert into profiles (id, version, bytes, saved_by)
    select $1, $2, $3, $4::text where $4::text is null or exists (select from claim)
    on conflict (id) do update
      set version = excluded.version, bytes = excluded.bytes, saved_by = excluded.saved_by, saved_at = now()
    returning id`,
};
const DROP_VERSION: Statement = {
  name: 'profile_drop_version',
  text: 'delete from profile_chunks where version = $1',
};
/**
 * Deletes the pieces of versions that a save replaced at least an hour ago. Also deletes the pieces of
 * incomplete versions to which no piece was added for an hour. No transfer takes that long.
 */
const DROP_STALE: Statement = {
  name: 'profile_drop_stale',
  text: `
    with stale as (
      select version from profile_chunks chunk where number = 0 and stored_at < now() - interval '1 hour'
        and not exists (select from profiles where profiles.version = chunk.version)
        and not exists (select from profile_chunks newer where newer.version = chunk.version and newer.stored_at > now() - interval '1 hour')
      limit 20)
    delete from profile_chunks using stale where profile_chunks.version = stale.version`,
};

/**
 * Stores profiles in a database, sealed and in pieces, so that any node can load them. A save writes a new
 * version. When the new version is complete, it replaces the old version atomically. An interrupted save
 * keeps the old version. During a transfer, the profile is in a sealed file, so that packing and unpacking do
 * not wait for the database.
 */
export class PostgresProfileStore implements ProfileStore {
  private constructor(
    private readonly files: FileProfileStore,
    private readonly directory: string,
    private readonly parts: PostgresProfileStoreParts,
  ) {}

  static async open(parts: PostgresProfileStoreParts): Promise<PostgresProfileStore> {
    const directory = join(parts.stateDir, 'passing-profiles');
    await rm(directory, { recursive: true, force: true });
    await makeDirectory(directory);
    return new PostgresProfileStore(
      await FileProfileStore.open({ ...parts, stateDir: directory }),
      directory,
      parts,
    );
  }

  async load(id: string, place: HostPlace): Promise<void> {
    await this.#inDirectory(async (directory) => {
      const file = await open(join(directory, 'loading'), 'wx+', 0o600);
      try {
        await this.#download(id, file);
        await this.files.loadFrom(file, id, place);
      } finally {
        await file.close();
      }
    });
  }

  async save(id: string, place: HostPlace, claimedBy: string | null = null): Promise<void> {
    const path = this.files.pathOf(id);
    try {
      const sizes = await this.files.write(id, place);
      const file = await open(path);
      try {
        await this.#upload(id, file, claimedBy);
      } finally {
        await file.close();
      }
      this.parts.log.info('profile saved', { profile: id, ...sizes });
    } finally {
      await rm(path, { force: true });
    }
    // Not awaited: the profile is already saved, so its session need not wait for a slow database.
    void this.#dropStale();
  }

  /**
   * Downloads a profile. If a save replaces its version meanwhile, the old version is still available, see
   * {@link DROP_STALE}.
   */
  async #download(id: string, file: FileHandle): Promise<void> {
    const [profile] = await this.parts.database.rows<{ version: string }>(GET_VERSION, [id]);
    if (!profile) throw new ServiceError('err_profile_not_found', id);
    for (let number = 0; ; number++) {
      const [row] = await this.parts.database.rows<{ chunk: Buffer }>(GET_CHUNK, [profile.version, number], {
        deadline: CHUNK_DEADLINE_MS,
      });
      if (!row) return;
      await file.writeFile(row.chunk);
    }
  }

  async #upload(id: string, file: FileHandle, claimedBy: string | null): Promise<void> {
    const { database } = this.parts;
    const version = randomUUID();
    let isReplacing = false;
    try {
      let bytes = 0;
      for (let number = 0; ; number++) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, bytes);
        if (bytesRead === 0) break;
        const values = [version, number, buffer.subarray(0, bytesRead)];
        await database.rows(PUT_CHUNK, values, { deadline: CHUNK_DEADLINE_MS });
        bytes += bytesRead;
      }
      const values = [id, version, bytes, claimedBy];
      isReplacing = true;
      const saved = await database.rows(REPLACE, values, { deadline: CHUNK_DEADLINE_MS });
      if (saved.length === 0) throw new ProfileGoneError(id);
    } catch (error) {
      // If the database did not answer, it may still replace the version later. So the pieces stay. If no
      // profile uses them, a later {@link DROP_STALE} deletes them.
      const isUnknown = isReplacing && error instanceof DatabaseError && error.problem !== 'refused';
      if (!isUnknown) void this.#dropUnused(id, version);
      throw error;
    }
  }

  async #dropUnused(id: string, version: string): Promise<void> {
    const { database, log } = this.parts;
    try {
      const [profile] = await database.rows<{ version: string }>(GET_VERSION, [id]);
      if (profile?.version !== version) await database.rows(DROP_VERSION, [version]);
    } catch (error) {
      // A later {@link DROP_STALE} deletes the pieces.
      log.debug('could not delete pieces of a profile yet', { profile: id, error });
    }
  }

  async #dropStale(): Promise<void> {
    try {
      await this.parts.database.rows(DROP_STALE, [], { deadline: CHUNK_DEADLINE_MS });
    } catch (error) {
      this.parts.log.debug('could not delete old pieces of profiles yet', { error });
    }
  }

  async #inDirectory(work: (directory: string) => Promise<void>): Promise<void> {
    const directory = await mkdtemp(join(this.directory, 'load-'));
    try {
      await work(directory);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
}
