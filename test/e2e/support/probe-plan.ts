import { readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import type { Strangers } from './strangers.js';
import { KEY_NAME } from './hostile-machine.js';
import { descendants, processes } from './processes.js';
import { Service } from './service.js';

/**
 * Facts about the world outside the sandbox, so that the probe knows its targets. Names as in
 * `test/e2e/probe`.
 */
export interface ProbePlan {
  directory: string;
  serviceFiles: string[];
  neighbourFiles: string[];
  ownFiles: string[];
  machineFiles: string[];
  secrets: string[];
  outside: { pid: number; command: string }[];
  neighbourSockets: string[];
  ownSockets: string[];
  machineSockets: string[];
  lockNames: string[];
  lockDirectories: string[];
  hostName: string;
  keyName: string;
  memoryKey: number;
  abstractName: string;
  ports: number[];
  /** Directories in which the probe tries to create a file with the name `leak`. */
  everywhere: string[];
  leak: string;
}

/** Numbers for possible names of locks, for this user id or any other. */
const LOCK_NUMBERS = 1_000;

/** @param own the session with the probe; `neighbour`: another one of the same service */
export function probePlan(
  service: Service,
  {
    own,
    neighbour,
    strangers,
    secrets,
  }: { own: string; neighbour: string; strangers: Strangers; secrets: string[] },
): ProbePlan {
  const { directory } = service;
  const [ours, theirs] = [entriesOf(own), entriesOf(neighbour)];
  const inside = new Set(descendants(service.pid).map(({ pid }) => pid));
  const uid = process.getuid?.() ?? 0;
  return {
    directory,
    serviceFiles: [join(directory, 'state'), ...entriesOf(join(directory, 'state')).map(({ path }) => path)],
    neighbourFiles: [neighbour, ...theirs.map(({ path }) => path)],
    ownFiles: ours.map(({ path }) => path),
    machineFiles: [
      ...[
        strangers.file,
        '/etc/shadow',
        '/etc/passwd',
        '/etc/hostname',
        '/etc/machine-id',
        '/etc/environment',
      ],
      ...[
        '/root',
        '/root/.ssh',
        '/var/log',
        '/var/lib',
        '/opt',
        '/srv',
        '/mnt',
        '/boot',
        '/run/cloud-browser',
      ],
    ],
    secrets,
    outside: processes()
      .filter(
        ({ pid, command }) =>
          inside.has(pid) || pid === service.pid || pid === process.pid || command.includes(directory),
      )
      .map(({ pid, command }) => ({ pid, command })),
    neighbourSockets: socketsOf(theirs),
    // The browser may use the sockets that it is given.
    ownSockets: socketsOf(ours),
    machineSockets: [strangers.socket, ...socketsOf(entriesOf('/run'))],
    lockNames: Array.from({ length: LOCK_NUMBERS }, (_, number) => number).flatMap((number) => [
      `cloud-browser/uid/${Service.uidBase + number}`,
      `cloud-browser/place/${uid}/${number}`,
    ]),
    lockDirectories: [
      '/run/cloud-browser',
      join(directory, 'run', 'locks'),
      join(directory, 'state', 'locks'),
    ],
    hostName: hostname(),
    keyName: KEY_NAME,
    memoryKey: strangers.memoryKey,
    abstractName: strangers.abstractName,
    ports: [strangers.port, Number(new URL(service.url).port)],
    everywhere: ['/tmp', '/run', '/home', '/dev/shm', '/var/tmp', '/run/session', directory, own],
    leak: `${basename(directory)}-leak`,
  };
}

interface Entry {
  path: string;
  socket: boolean;
}

/**
 * Everything below a directory, without following links. Files that disappear in the meantime are left out.
 */
function entriesOf(directory: string): Entry[] {
  let entries;
  try {
    entries = readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = join(directory, entry.name);
    return [{ path, socket: entry.isSocket() }, ...(entry.isDirectory() ? entriesOf(path) : [])];
  });
}

const socketsOf = (entries: Entry[]) => entries.filter(({ socket }) => socket).map(({ path }) => path);
