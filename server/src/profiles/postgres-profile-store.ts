import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../database/database.js';
import type { Statement } from '../database/statement.js';
import type { HostPlace } from '../host-protocol.js';
import { ServiceError } from '../service-error.js';
import type { ProfileStore } from '../sessions/ports.js';
import { FileProfileStore, type FileProfileStoreParts } from './file-profile-store.js';

/** What a {@link PostgresProfileStore} is made of. `stateDir` is where profiles pass through, sealed. */
export interface PostgresProfileStoreParts extends FileProfileStoreParts {
  database: Database;
}

/** Bytes of a piece: the database answers one at a time. */
const CHUNK_BYTES = 2 ** 20;
/** For one piece, or all of the old ones: disks may be slow, and nobody waits for it. Milliseconds. */
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
/** The old pieces stay for whoever is just reading them, see {@link DROP_STALE}. */
const REPLACE: Statement = {
  name: 'profile_replace',
  text: `insert into profiles (id, version, bytes) values ($1, $2, $3)
    on conflict (id) do update set version = excluded.version, bytes = excluded.bytes, saved_at = now()`,
};
const DROP_VERSION: Statement = {
  name: 'profile_drop_version',
  text: 'delete from profile_chunks where version = $1',
};
/** Pieces of versions that were replaced, or never completed, an hour ago and more: no transfer takes that long. */
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
 * Profiles in a database, sealed and in pieces, so that any node loads what another one saved. A save writes a new version, which takes the old one's
 * place at once when it is complete; one that is cut off leaves the old one. On their way profiles lie in files, sealed as well: what packs
 * and unpacks them need not keep the pace of the database.
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
    await mkdir(directory, { recursive: true, mode: 0o700 });
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

  async save(id: string, place: HostPlace): Promise<void> {
    const path = this.files.pathOf(id);
    try {
      await this.files.save(id, place);
      const file = await open(path);
      try {
        await this.#upload(id, file);
      } finally {
        await file.close();
      }
    } finally {
      await rm(path, { force: true });
    }
    await this.#dropStale();
  }

  /** Replaced between two pieces, the old version is still there: see {@link DROP_STALE}. */
  async #download(id: string, file: FileHandle): Promise<void> {
    const [profile] = await this.parts.database.rows<{ version: string }>(GET_VERSION, [id]);
    if (!profile) throw new ServiceError('err_profile_not_found', id);
    for (let number = 0; ; number++) {
      const [row] = await this.parts.database.rows<{ chunk: Buffer }>(GET_CHUNK, [profile.version, number], {
        deadline: CHUNK_DEADLINE_MS,
      });
      if (!row) return;
      await file.write(row.chunk);
    }
  }

  async #upload(id: string, file: FileHandle): Promise<void> {
    const { database } = this.parts;
    const version = randomUUID();
    try {
      let bytes = 0;
      for (let number = 0; ; number++) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, bytes);
        if (bytesRead === 0) break;
        const values = [version, number, buffer.subarray(0, bytesRead)];
        await database.rows(PUT_CHUNK, values, { deadline: CHUNK_DEADLINE_MS });
        bytes += bytesRead;
      }
      await database.rows(REPLACE, [id, version, bytes], { deadline: CHUNK_DEADLINE_MS });
    } catch (error) {
      // Unless it took the old one's place all the same, unheard: then the pieces are needed.
      void this.#dropUnused(id, version);
      throw error;
    }
  }

  async #dropUnused(id: string, version: string): Promise<void> {
    const { database, log } = this.parts;
    try {
      const [profile] = await database.rows<{ version: string }>(GET_VERSION, [id]);
      if (profile?.version !== version) await database.rows(DROP_VERSION, [version]);
    } catch (error) {
      // They go with what is stale.
      log.debug('pieces of a profile stay in the database for now', { profile: id, error });
    }
  }

  async #dropStale(): Promise<void> {
    try {
      await this.parts.database.rows(DROP_STALE, [], { deadline: CHUNK_DEADLINE_MS });
    } catch (error) {
      this.parts.log.debug('old pieces of profiles stay in the database for now', { error });
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
