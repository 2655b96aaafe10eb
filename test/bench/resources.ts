import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { promisify } from 'node:util';
import { CHROMIUM } from './chromium.js';

/** USER_HZ of Linux. It is 100 on every architecture that Debian supports. */
const TICKS_PER_SECOND = 100;

interface ProcessTimes {
  parent: number;
  /** Seconds in user and kernel mode. */
  seconds: number;
}

function readProcess(pid: number): ProcessTimes | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process name in brackets may contain spaces and brackets, so fields are counted from the end of it
    // (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return { parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND };
  } catch {
    return undefined;
  }
}

/** Seconds that a process has used so far, alone; 0 when it is gone. */
export function processorSeconds(pid: number): number {
  return readProcess(pid)?.seconds ?? 0;
}

function isChromium(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`).startsWith(CHROMIUM.slice(0, CHROMIUM.lastIndexOf('/')));
  } catch {
    return false;
  }
}

/** Processor time of a group of processes, Chromium's apart from all others'. */
export interface ProcessorTime {
  chromium: Map<number, number>;
  others: Map<number, number>;
}

/** Seconds used so far by these processes and all their descendants. */
export function processorTime(roots: readonly number[]): ProcessorTime {
  const table = new Map<number, ProcessTimes>();
  for (const name of readdirSync('/proc')) {
    const times = /^\d+$/.test(name) ? readProcess(Number(name)) : undefined;
    if (times) table.set(Number(name), times);
  }
  const belongs = (pid: number): boolean => {
    if (roots.includes(pid)) return true;
    const parent = table.get(pid)?.parent;
    return parent !== undefined && parent > 1 && belongs(parent);
  };
  const time: ProcessorTime = { chromium: new Map(), others: new Map() };
  for (const [pid, { seconds }] of table) {
    if (belongs(pid)) (isChromium(pid) ? time.chromium : time.others).set(pid, seconds);
  }
  return time;
}

/**
 * Bytes of memory of these processes and all their descendants. Shared memory is counted proportionally for
 * each process, so once in total.
 */
export function memoryOf(roots: readonly number[]): number {
  return sumOf('Pss', processesOf(roots));
}

/** Like {@link memoryOf}, without the processes of Chromium. */
export function memoryBesideChromium(roots: readonly number[]): number {
  return sumOf('Pss', processorTime(roots).others.keys());
}

/** Bytes of these processes and all their descendants that are in the machine's swap. */
export function swappedOf(roots: readonly number[]): number {
  return sumOf('SwapPss', processesOf(roots));
}

function processesOf(roots: readonly number[]): number[] {
  const { chromium, others } = processorTime(roots);
  return [...chromium.keys(), ...others.keys()];
}

function sumOf(line: 'Pss' | 'SwapPss', pids: Iterable<number>): number {
  let bytes = 0;
  for (const pid of pids) {
    try {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      const [, kilobytes] = new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(text) ?? [];
      bytes += Number(kilobytes ?? 0) * 1024;
    } catch {
      // It has ended meanwhile.
    }
  }
  return bytes;
}

/** Seconds used between two readings; a process that started in between counts from its start. */
export function secondsBetween(before: Map<number, number>, after: Map<number, number>): number {
  let sum = 0;
  for (const [pid, seconds] of after) sum += seconds - (before.get(pid) ?? 0);
  return sum;
}

/**
 * Bytes that the TCP sockets of a local server port have sent so far, as the kernel counts them. The count
 * does not slow the traffic.
 */
export async function bytesSent(port: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ss', ['-tinH', 'state', 'established', `sport = :${port}`]);
  let sum = 0;
  for (const [, bytes] of stdout.matchAll(/\bbytes_sent:(\d+)/g)) sum += Number(bytes);
  return sum;
}

/** The share of all cores, 0 to 1, that ran anything between two readings of {@link machineTime}. */
export function busyShare(before: readonly number[], after: readonly number[]): number {
  const passed = after.map((value, index) => value - (before[index] ?? 0));
  const idle = (passed[IDLE] ?? 0) + (passed[WAITING_FOR_DISK] ?? 0);
  return 1 - idle / passed.reduce((sum, value) => sum + value, 0);
}

/** Columns of /proc/stat's first line; see proc(5). */
const IDLE = 3;
const WAITING_FOR_DISK = 4;

/** Ticks that the cores have spent so far, by kind. */
export function machineTime(): number[] {
  const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  return first.split(/\s+/).slice(1, 9).map(Number);
}
