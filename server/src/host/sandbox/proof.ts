import { readlinkSync } from 'node:fs';
import { commandLine, processes, type ProcessStatus } from '../../platform/proc.js';

/** A renderer as the kernel sees it. */
export interface RendererState {
  pid: number;
  /** 2: a seccomp filter is in force; proc(5). */
  seccomp: number;
  noNewPrivileges: boolean;
  /** How many PID namespaces deep the process is; 1 is the machine's own. */
  pidDepth: number;
  /** Inode names of its namespaces; absent where the kernel does not let us look. */
  namespaces: Record<string, string | undefined>;
}

/** The namespaces that a renderer must not share with the machine. */
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
      requireConfined(findRenderers(uid));
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    // The kernel does not announce new processes to unprivileged ones, so they are looked for.
    await new Promise((resolve) => setTimeout(resolve, LOOK_INTERVAL_MS));
  }
}

/** Renderers among the processes of one user id. */
export function findRenderers(uid: number): RendererState[] {
  const found: RendererState[] = [];
  for (const status of processes()) {
    if (status.uids[0] !== uid || status.zombie) continue;
    if (/[\s\0]--type=renderer[\s\0]/.test(commandLine(status.pid))) found.push(stateOf(status));
  }
  return found;
}

/**
 * Checks that every renderer of this user is confined: a seccomp filter, no way to gain privileges, and user, process and
 * network namespaces of its own. Throws {@link UnsafeBrowserError}.
 */
export function requireConfined(renderers: readonly RendererState[]): void {
  if (renderers.length === 0)
    throw new UnsafeBrowserError('Chromium runs no renderer that could be examined.');
  for (const { seccomp, noNewPrivileges, pidDepth, namespaces } of renderers) {
    if (seccomp !== 2) throw new UnsafeBrowserError('A renderer has no seccomp filter.');
    if (!noNewPrivileges) throw new UnsafeBrowserError('A renderer could gain privileges.');
    if (pidDepth < 2) throw new UnsafeBrowserError('A renderer sees the processes of the machine.');
    for (const kind of NAMESPACES) {
      if (namespaces[kind] === readlinkSync(`/proc/self/ns/${kind}`))
        throw new UnsafeBrowserError(`A renderer shares the ${kind} namespace of the machine.`);
    }
  }
}

function stateOf({ pid, field }: ProcessStatus): RendererState {
  return {
    pid,
    seccomp: Number(field('Seccomp')),
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
