import { readlinkSync } from 'node:fs';
import { commandLine, processes, type ProcessStatus } from '../../platform/proc.js';

/** A process of a browser as the kernel sees it. */
export interface ProcessState {
  pid: number;
  /** Seccomp filters in force; proc(5). One of them is that of our own sandbox around the whole browser. */
  filters: number;
  noNewPrivileges: boolean;
  /** How many PID namespaces deep the process is; 1 is the machine's own. */
  pidDepth: number;
  /** Inode names of its namespaces; absent where the kernel does not let us look. */
  namespaces: Record<string, string | undefined>;
}

/** A command line, as `commandLine` gives it, of Chromium itself and not of the sandbox around it. */
const CHROMIUM = /^\0\S*\/chromium[\s\0]/;
/** The namespaces that a renderer must not share with its browser, hence with nothing else. */
const NAMESPACES = ['user', 'pid', 'net'];

/** Thrown when a page would run without Chromium's sandbox. */
export class UnsafeBrowserError extends Error {
  readonly code = 'err_no_sandbox';

  constructor(what: string) {
    super(
      `${what} Hosted pages would not be confined, so nothing is served. ` +
        'Allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, user.max_user_namespaces > 0).',
    );
    this.name = 'UnsafeBrowserError';
  }
}

/** How long renderers may take to appear and to confine themselves: seconds, on a busy machine. */
const CONFINEMENT_TIMEOUT_MS = 20_000;
/** Between two looks at the processes. */
const LOOK_INTERVAL_MS = 20;

/**
 * Resolves when this user has renderers and all of them are confined. A renderer confines itself while it starts, so it
 * gets some time; then {@link UnsafeBrowserError}.
 */
export async function proveConfined(uid: number): Promise<void> {
  const deadline = performance.now() + CONFINEMENT_TIMEOUT_MS;
  for (;;) {
    try {
      requireConfined(browserProcesses(uid));
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    // The kernel does not announce new processes to unprivileged ones, so they are looked for.
    await new Promise((resolve) => setTimeout(resolve, LOOK_INTERVAL_MS));
  }
}

/** Chromium's own processes of one user id: those that run pages, and those that the others descend from. */
export interface BrowserProcesses {
  browsers: readonly ProcessState[];
  renderers: readonly ProcessState[];
}

function browserProcesses(uid: number): BrowserProcesses {
  const browsers: ProcessState[] = [];
  const renderers: ProcessState[] = [];
  for (const status of processes()) {
    if (status.uids[0] !== uid || status.zombie) continue;
    const command = commandLine(status.pid);
    if (!CHROMIUM.test(command)) continue;
    if (/[\s\0]--type=renderer[\s\0]/.test(command)) renderers.push(stateOf(status));
    else if (!/[\s\0]--type=/.test(command)) browsers.push(stateOf(status));
  }
  return { browsers, renderers };
}

/**
 * Checks that every renderer of this user is confined by Chromium's own sandbox, beyond what our sandbox does to the whole browser:
 * one more seccomp filter, no way to gain privileges, and user, process and network namespaces that the browser is not in. Throws
 * {@link UnsafeBrowserError}.
 */
export function requireConfined({ browsers, renderers }: BrowserProcesses): void {
  if (renderers.length === 0 || browsers.length === 0)
    throw new UnsafeBrowserError('Chromium runs no renderer that could be examined.');
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

/** The inode name of a process's namespace; undefined where the kernel does not let us look. */
function namespaceOf(pid: number, kind: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/${kind}`);
  } catch {
    return undefined;
  }
}
