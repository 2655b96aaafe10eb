import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process as /proc shows it. Zombies are left out everywhere: they hold nothing, and only PID 1 can reap them. */
export interface ProcessInfo {
  pid: number;
  parent: number;
  uid: number;
  /** When it started, in ticks since boot: with the pid this is an identity. */
  started: string;
  command: string;
  status: string;
}

/** All processes that live. */
export function processes(): ProcessInfo[] {
  const found: ProcessInfo[] = [];
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const status = readFileSync(`/proc/${entry}/status`, 'utf8');
      if (/^State:\s+[ZX]/m.test(status)) continue;
      found.push({
        pid: Number(entry),
        parent: Number(field(status, 'PPid')),
        uid: Number(field(status, 'Uid').split(/\s/)[0]),
        started: statOf(entry)[19] ?? '',
        command: readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(),
        status,
      });
    } catch {
      // It ended while we looked.
    }
  }
  return found;
}

/** All that descends from a process, itself not included. */
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

/** Those of these processes that are still there. */
export function stillAlive(earlier: readonly ProcessInfo[]): ProcessInfo[] {
  const now = new Map(processes().map((process) => [process.pid, process.started]));
  return earlier.filter(({ pid, started }) => now.get(pid) === started);
}

/** The one process of a service's sessions whose command line fits. */
export function onlyProcess(service: number, command: RegExp): ProcessInfo {
  const fitting = descendants(service).filter((process) => command.test(process.command));
  // Who is about to run a program has the name of its parent for a moment.
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

/** Processor time that a process has taken so far, in milliseconds. */
export function processorTime(pid: number): number {
  const stat = statOf(`${pid}`);
  // Ticks of USER_HZ, which is 100 everywhere.
  return (Number(stat[11]) + Number(stat[12])) * 10;
}

/** A namespace's name, such as `net:[4026531840]`. */
export function namespaceOf(pid: number, kind: 'user' | 'pid' | 'net'): string {
  return readlinkSync(`/proc/${pid}/ns/${kind}`);
}

export function field(status: string, name: string): string {
  return new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(status)?.[1] ?? '';
}

/** The fields of /proc/PID/stat behind the name, from `state` on; see proc(5). */
function statOf(pid: string): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
