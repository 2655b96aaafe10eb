import { readFileSync, readlinkSync } from 'node:fs';
import {
  commandLine,
  processes as everyProcess,
  type ProcessStatus,
} from '../../../server/src/platform/process/proc.js';

/**
 * A process as /proc shows it. Zombies are left out everywhere: they hold nothing, and only PID 1 can reap
 * them.
 */
export interface ProcessInfo extends Pick<ProcessStatus, 'pid' | 'field'> {
  parent: number;
  uid: number;
  /** Start time in ticks since boot. Together with the pid it identifies the process. */
  started: string;
  command: string;
}

/** All processes of the machine. */
export function processes(): ProcessInfo[] {
  const found: ProcessInfo[] = [];
  for (const { pid, zombie, uids, field } of everyProcess()) {
    if (zombie) continue;
    try {
      const [parent, uid = -1] = [Number(field('PPid')), uids[0]];
      const command = commandLine(pid).replaceAll('\0', ' ').trim();
      found.push({ pid, field, parent, uid, started: statOf(pid)[19] ?? '', command });
    } catch {
      // The process ended in the meantime.
    }
  }
  return found;
}

/** All descendants of a process, without the process itself. */
export function descendants(pid: number): ProcessInfo[] {
  const all = processes();
  const family = new Set([pid]);
  const found: ProcessInfo[] = [];
  for (let grown = true; grown;) {
    grown = false;
    for (const process of all) {
      if (family.has(process.pid) || !family.has(process.parent)) continue;
      family.add(process.pid);
      found.push(process);
      grown = true;
    }
  }
  return found;
}

/** The egress process of a service. It belongs to no session. */
export const EGRESS = /\/egress\/main\.js /;

/** The nodes of a cluster that replaces a service, and the proxy in front of them. */
const OF_CLUSTER = /\/server\/dist\/cli\.js$|^haproxy /;

/** All processes of a service's sessions. */
export function sessionProcesses(service: number): ProcessInfo[] {
  return descendants(service).filter(({ command }) => !EGRESS.test(command) && !OF_CLUSTER.test(command));
}

/** The given processes that still run. */
export function stillAlive(earlier: readonly ProcessInfo[]): ProcessInfo[] {
  const now = new Map(processes().map((process) => [process.pid, process.started]));
  return earlier.filter(({ pid, started }) => now.get(pid) === started);
}

/** The only process of a service's sessions whose command line matches. */
export function onlyProcess(service: number, command: RegExp): ProcessInfo {
  const fitting = descendants(service).filter((process) => command.test(process.command));
  // Between fork and exec a process has the command line of its parent.
  const pids = new Set(fitting.map(({ pid }) => pid));
  const found = fitting.filter(({ parent }) => !pids.has(parent));
  const [first] = found;
  if (!first || found.length > 1) {
    throw new Error(
      `${found.length} processes fit ${String(command)}: ${found.map((one) => one.command).join('\n')}`,
    );
  }
  return first;
}

/** Chromium's main process, which is the one without a type. */
export const CHROMIUM_MAIN = /^\/usr\/lib\/chromium\/chromium (?!.*--type=)/;
export const SESSION_HOST = /host\/main\.js/;
export const XORG = /^\/usr\/lib\/xorg\/Xorg /;
export const PULSE_AUDIO = /^pulseaudio /;

/** The processor time that a process has used so far, in milliseconds. */
export function processorTime(pid: number): number {
  const stat = statOf(pid);
  // Ticks of USER_HZ, which is 100 everywhere.
  return (Number(stat[11]) + Number(stat[12])) * 10;
}

/** A namespace's name, such as `net:[4026531840]`. */
export function namespaceOf(pid: number, kind: 'user' | 'pid' | 'net'): string {
  return readlinkSync(`/proc/${pid}/ns/${kind}`);
}

/** The fields of /proc/PID/stat behind the name, from `state` on; see proc(5). */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
