import { readlinkSync } from 'node:fs';
import { commandLine, processes, type ProcessStatus } from '../../platform/process/proc.js';

/** A process of a browser as the kernel sees it. */
export interface ProcessState {
  pid: number;
  /**
   * Number of active seccomp filters, see proc(5). One of them is our own filter around the whole browser.
   */
  filters: number;
  noNewPrivileges: boolean;
  /** Depth of the process in nested PID namespaces. 1 for a process in the machine's own namespace. */
  pidDepth: number;
  /** Inode names of its namespaces. Absent if the kernel denies access. */
  namespaces: Record<string, string | undefined>;
}

/** Matches a result of `commandLine` for Chromium itself, and not for the sandbox around it. */
const CHROMIUM = /^\0\S*\/chromium[\s\0]/;
/** Kinds of namespaces that a renderer must not share with its browser. */
const NAMESPACES = ['user', 'pid', 'net'];

const ALLOW_NAMESPACES =
  'Allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, user.max_user_namespaces > 0).';

/** Thrown when a page would run without Chromium's sandbox. */
export class UnsafeBrowserError extends Error {
  readonly code = 'err_no_sandbox';

  /** @param advice what the operator can do */
  constructor(what: string, advice = ALLOW_NAMESPACES) {
    super(`${what} Hosted pages would not be confined, so the service does not start. ${advice}`);
    this.name = 'UnsafeBrowserError';
  }
}

/** Milliseconds in which renderers must appear and be confined. This takes seconds on a busy machine. */
const CONFINEMENT_TIMEOUT_MS = 20_000;
/** Interval of checks of the processes, in milliseconds. */
const LOOK_INTERVAL_MS = 20;

/**
 * Resolves when renderers of this user exist and all of them are confined. Renderers confine themselves
 * during their start. Call this only after the browser has answered, because its processes have their final
 * user id then. Rejects with {@link UnsafeBrowserError} on timeout.
 */
export async function proveConfined(uid: number): Promise<void> {
  const deadline = performance.now() + CONFINEMENT_TIMEOUT_MS;
  // Each check would otherwise read every process of the machine again, while Chromium starts. A process that
  // changes to this user id later stays in this set.
  const ofOthers = new Set<number>();
  for (;;) {
    try {
      requireConfined(browserProcesses(uid, ofOthers));
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    // The kernel does not report new processes to unprivileged processes, so this function polls.
    await new Promise((resolve) => setTimeout(resolve, LOOK_INTERVAL_MS));
  }
}

/** Chromium's processes of one user id: the main processes and the renderers. */
export interface BrowserProcesses {
  browsers: readonly ProcessState[];
  renderers: readonly ProcessState[];
}

/** @param ofOthers process ids of other users. Skips these processes, and adds those that it finds */
function browserProcesses(uid: number, ofOthers: Set<number>): BrowserProcesses {
  const browsers: ProcessState[] = [];
  const renderers: ProcessState[] = [];
  for (const status of processes(ofOthers)) {
    if (status.uids[0] !== uid) ofOthers.add(status.pid);
    if (status.uids[0] !== uid || status.zombie) continue;
    const command = commandLine(status.pid);
    if (!CHROMIUM.test(command)) continue;
    if (/[\s\0]--type=renderer[\s\0]/.test(command)) renderers.push(stateOf(status));
    else if (!/[\s\0]--type=/.test(command)) browsers.push(stateOf(status));
  }
  return { browsers, renderers };
}

/**
 * Checks that Chromium's own sandbox confines every renderer of this user, in addition to our sandbox around
 * the whole browser. A renderer must have more seccomp filters than the browser. It must not share the
 * browser's user, process and network namespaces. It must be unable to gain privileges. Otherwise throws
 * {@link UnsafeBrowserError}.
 */
export function requireConfined({ browsers, renderers }: BrowserProcesses): void {
  if (renderers.length === 0 || browsers.length === 0)
    throw new UnsafeBrowserError('Chromium runs no renderer that could be checked.');
  for (const { filters, noNewPrivileges, pidDepth, namespaces } of renderers) {
    for (const browser of browsers) {
      if (filters <= browser.filters)
        throw new UnsafeBrowserError('A renderer has no seccomp filter of its own.');
      if (pidDepth <= browser.pidDepth)
        throw new UnsafeBrowserError('A renderer sees the processes of its browser.');
      for (const kind of NAMESPACES) {
        const own = namespaces[kind];
        if (own !== undefined && own === browser.namespaces[kind])
          throw new UnsafeBrowserError(`A renderer shares the ${kind} namespace of its browser.`);
      }
    }
    if (!noNewPrivileges) throw new UnsafeBrowserError('A renderer could gain privileges.');
  }
}

function stateOf({ pid, field }: ProcessStatus): ProcessState {
  return {
    pid,
    filters: Number(field('Seccomp_filters')),
    noNewPrivileges: field('NoNewPrivs') === '1',
    pidDepth: field('NSpid').split('\t').length,
    namespaces: Object.fromEntries(NAMESPACES.map((kind) => [kind, namespaceOf(pid, kind)])),
  };
}

/** Returns the inode name of a process's namespace. Undefined if the kernel denies access. */
function namespaceOf(pid: number, kind: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/${kind}`);
  } catch {
    return undefined;
  }
}
