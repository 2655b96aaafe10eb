import { accessSync, constants } from 'node:fs';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Name of the subgroup that contains the programs of a session, without its host. */
const PROGRAMS = 'programs';
/** File of a group that freezes all processes of the group, see cgroups(7). */
const FREEZE = 'cgroup.freeze';
/**
 * Maximum number of times that the processes are listed and moved. Processes may start other processes while
 * they are moved.
 */
const ROUNDS = 5;

/** Returns the directory of the subgroup that can be frozen, inside a session's group. */
export function freezerOf(group: string): string {
  return join(group, PROGRAMS);
}

/**
 * Moves all processes of a session's group to its subgroup, except the host. Resolves to the file that
 * freezes the subgroup. The host gets the right to write to this file, so that it can continue its programs
 * without the service. Resolves to undefined if the kernel refuses. The host then stops its programs by
 * signals.
 *
 * @param group directory of the session's group
 * @param host process that stays in the group
 * @param owner user id that may write to the file. Undefined: only the service's own user id
 */
export async function openFreezer(
  group: string,
  host: number,
  owner: number | undefined,
): Promise<string | undefined> {
  const programs = freezerOf(group);
  const file = join(programs, FREEZE);
  try {
    await mkdir(programs, { recursive: true });
    accessSync(file, constants.W_OK);
    if (owner !== undefined) await chown(file, owner, -1);
    for (let round = 0; round < ROUNDS; round++) {
      const others = (await processesIn(group)).filter((pid) => pid !== host);
      if (others.length === 0) return file;
      // The kernel allows one process for each write. A process that has ended meanwhile is no problem.
      for (const pid of others)
        await writeFile(join(programs, 'cgroup.procs'), String(pid)).catch(() => undefined);
    }
  } catch {
    // The group has no such file, or the service may not write to it.
  }
  return undefined;
}

async function processesIn(group: string): Promise<number[]> {
  const text = await readFile(join(group, 'cgroup.procs'), 'utf8');
  return text.split('\n').filter(Boolean).map(Number);
}
