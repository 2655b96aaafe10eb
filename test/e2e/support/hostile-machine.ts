import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ManagedProcess } from '../../../server/src/platform/process/child-process.js';
import { atEnd, type End } from './cleanup.js';
import { Service } from './service.js';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
/** A directory of Debian's Chromium that sandboxes contain, and whose pictures are not needed. */
export const STAGE = '/usr/share/pixmaps';
/** Argument that only the probing session's browser has. A session gets it by `dark`. */
const MARK = '--force-dark-mode';
/** Names of X displays that services could use. Their lock files are pipes here without a writer. */
const DISPLAYS = '0 1 2000 2001 2002 2003';

/** A key in the session keyring of the service, as a login leaves some there; keyrings(7). */
export const KEY_NAME = 'cloud-browser-e2e';
/**
 * A directory that the link at the place of the machine's X sockets leads to; its mode is {@link
 * VICTIM_MODE}.
 */
export const VICTIM = '/tmp/victim';
export const VICTIM_MODE = 0o700;

/**
 * Replaces Chromium: starts the probe with the browser's own environment, and then the browser. The probe has
 * programs, because an attacker brings the needed tools.
 */
const PROBED = `case " $* " in
*' ${MARK} '*)
  ${STAGE}/bin/find /proc/self/fd -type l -printf '%f %l\\n' > /home/browser/descriptors
  ${STAGE}/node ${STAGE}/probe/main.mjs 3<&- 4>&- </dev/null >/home/browser/probe.log 2>&1 &
  ;;
esac
exec ${STAGE}/chromium/chromium "$@"
`;

/**
 * Prepares a machine with the traps of an attacker in its own mount namespace, and runs the command in it.
 */
const SCRIPT = `set -e
directory=$1 repository=$2 node=$3; shift 3
mount -t tmpfs probe ${STAGE}
cd ${STAGE}
mkdir bin chromium probe plan own repository
touch node
mount --bind /usr/bin bin
mount --bind /usr/lib/chromium chromium
mount --bind "$repository/test/e2e/probe" probe
mount --bind "$directory/plan" plan
mount --bind "$node" node
mount --bind "$directory/browser" /usr/lib/chromium/chromium
mount --bind "$directory" own
mount --bind "$repository" repository
mount -t tmpfs -o mode=1777 machine /tmp
mkdir -p "$directory" "$repository"
mount --bind own "$directory"
mount --bind repository "$repository"
umount own repository
mkdir -m 700 ${VICTIM}
ln -s ${VICTIM} /tmp/.X11-unix
for number in ${DISPLAYS}; do mkfifo /tmp/.X$number-lock /tmp/server-$number.xkm; done
cd /
exec "$@"
`;

/**
 * Joins a new session keyring and puts a key into it. Numbers of the system calls: x86-64, else the generic
 * table.
 */
const [KEYCTL, ADD_KEY] = process.arch === 'x64' ? [250, 248] : [219, 217];
const WITH_KEY = `syscall(${KEYCTL}, 1, 0); my ($type, $name, $key) = ("user\\0", "${KEY_NAME}\\0", "secret");
  syscall(${ADD_KEY}, $type, $name, $key, 6, -3); exec { $ARGV[0] } @ARGV;`;

/**
 * Starts a service with a probe in the sandbox of its browsers, on a machine whose /tmp is full of traps.
 * Needs root, for mounts in the service's own namespace.
 *
 * @param uid user id of the service. With 0, each session has its own user
 */
export async function startProbedService(uid: number, end: End = atEnd): Promise<Service> {
  const { directory, through } = await prepare(PROBED, uid, end);
  return Service.startIn(directory, {}, end, through);
}

/**
 * Starts a service with a shell script in the place of Chromium, which stands in {@link STAGE}. Resolves at
 * once: it may not become ready. Needs root as well.
 */
export async function startWithBrowser(script: string, end: End = atEnd): Promise<ManagedProcess> {
  const { directory, through } = await prepare(script, 0, end);
  return Service.launchIn(directory, {}, end, through);
}

async function prepare(script: string, uid: number, end: End) {
  const directory = await Service.makeDirectory(end);
  const plan = join(directory, 'plan');
  await mkdir(plan, { mode: 0o755 });
  await writeFile(join(directory, 'browser'), `#!${STAGE}/bin/sh\n${script}\n`, { mode: 0o755 });
  await chown(directory, uid, uid);
  const user = ['--reuid', `${uid}`, '--regid', `${uid}`, '--clear-groups', '--'];
  const through = [
    ...['unshare', '--mount', '--propagation', 'private', '--', '/bin/sh', '-c', SCRIPT, 'sh'],
    ...[directory, REPOSITORY, process.execPath, '/usr/bin/perl', '-e', WITH_KEY],
    ...(uid === 0 ? [] : ['setpriv', '--pdeathsig', 'KILL', ...user]),
  ];
  return { directory, through };
}
