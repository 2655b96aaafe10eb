import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The session's file systems in memory. */
export const MEMORY = ['tmp', 'shm', 'extensions'] as const;
type Memory = (typeof MEMORY)[number];

/**
 * Bytes of each memory file system. A browser shares pictures between its processes through `/dev/shm`.
 * Chromium compiles the blocking rules of an extension and writes the result into the directory of the
 * extension. If Chromium cannot write there, it applies no rule of that extension.
 */
const SIZES: Readonly<Record<Memory, number>> = { tmp: 2 ** 28, shm: 2 ** 30, extensions: 2 ** 27 };
/** Mount flags of each directory that the browser may write to. */
const FLAGS = 'nosuid,nodev,noexec';

/**
 * Shell script. `$1` is the session's directory. The script bind-mounts this directory over itself and mounts
 * the memory file systems in it, all with `noexec`. It unsets `PWD` and `OLDPWD`, because they would reveal
 * the directory to the browser. Then it executes the program in the other arguments.
 */
const SCRIPT = `set -e; at=$1; shift
mount -o bind,${FLAGS} "$at" "$at"
${MEMORY.map(mountOf).join('\n')}
unset PWD OLDPWD
exec "$@"`;

function mountOf(name: Memory): string {
  return `mount -t tmpfs -o ${FLAGS},mode=1777,size=${SIZES[name]} ${name} "$at/memory/${name}"`;
}

/**
 * Creates the directories on which {@link withoutExecution} mounts memory.
 *
 * @param directory the session's own directory
 */
export async function prepareMemory(directory: string): Promise<void> {
  for (const name of MEMORY) await mkdir(join(directory, 'memory', name), { recursive: true, mode: 0o700 });
}

/**
 * Returns the directory that becomes `/tmp`, `/dev/shm` or `/run/extensions` in the sandbox.
 *
 * @param directory the session's own directory
 */
export function memoryIn(directory: string, name: Memory): string {
  return join(directory, 'memory', name);
}

/**
 * Returns the start of a command line, which bubblewrap's command line must follow. It forbids the execution
 * of programs in all directories that a session may write to. Bubblewrap has no option for that, but its
 * mounts keep the flags of their sources. So the mounts are made before bubblewrap starts, as root of a
 * separate user namespace. Bubblewrap then restores the browser's real user, see {@link ownUser}.
 *
 * @param directory the session's own directory, which contains all writable directories of the sandbox
 */
export function withoutExecution(directory: string): string[] {
  return ['unshare', '--user', '--map-root-user', '--mount', '--', 'sh', '-c', SCRIPT, 'sh', directory];
}

/** Returns bubblewrap's arguments that restore this user for the browser, without any capability. */
export function ownUser(uid: number, gid: number): string[] {
  return ['--uid', `${uid}`, '--gid', `${gid}`, '--cap-drop', 'ALL'];
}
