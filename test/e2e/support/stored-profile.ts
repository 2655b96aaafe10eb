import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseOf, IN_CLUSTER } from './cluster.js';
import type { Service } from './service.js';

/** The chunks of a profile, in their order. */
const CHUNKS = 'profile_chunks join profiles using (version)';

const directoryOf = ({ directory }: Service) => join(directory, 'state', 'profiles');
const fileOf = (service: Service, id: string) => join(directoryOf(service), `${id}.profile`);

/** The ids of the stored profiles of a service: in files, or in the database of a cluster. */
export async function storedProfiles(service: Service): Promise<string[]> {
  if (!IN_CLUSTER) return (await readdir(directoryOf(service))).map((name) => name.replace(/\.profile$/, ''));
  const rows = await databaseOf(service).sql('select id from profiles');
  return rows.map(({ id }) => String(id));
}

/** A stored profile. Asserts that other users cannot read it. */
export async function storedProfile(service: Service, id: string): Promise<Buffer> {
  if (IN_CLUSTER) {
    const text = `select chunk from ${CHUNKS} where id = '${id}' order by number`;
    const rows = await databaseOf(service).sql(text);
    assert.ok(rows.length > 0, `There is no profile ${id}.`);
    return Buffer.concat(rows.map(({ chunk }) => chunk as Buffer));
  }
  const path = fileOf(service, id);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  return readFile(path);
}

/** Changes a byte of a stored profile. */
export async function damageProfile(service: Service, id: string): Promise<void> {
  if (IN_CLUSTER) {
    const damaged = 'set_byte(chunk, 100, get_byte(chunk, 100) # 1)';
    const where = `number = 0 and version = (select version from profiles where id = '${id}')`;
    await databaseOf(service).sql(`update profile_chunks set chunk = ${damaged} where ${where}`);
    return;
  }
  const sealed = await storedProfile(service, id);
  sealed[100] = (sealed[100] ?? 0) ^ 1;
  await writeFile(fileOf(service, id), sealed);
}
