import type { ProcessUse } from '../limits/session-processes.js';
import { commandLine } from '../../platform/process/proc.js';

/** Roles of processes, by their command line. The first match counts. */
const ROLES = {
  'The GPU process': /[\s\0]--type=gpu-process[\s\0]/,
  'The storage service': /[\s\0]--utility-sub-type=storage\.mojom\.StorageService[\s\0]/,
  'The audio service': /[\s\0]--utility-sub-type=audio\.mojom\.AudioService[\s\0]/,
  'A utility process': /[\s\0]--type=utility[\s\0]/,
  'The extension process': /[\s\0]--extension-process[\s\0]/,
  'A page process': /[\s\0]--type=renderer[\s\0]/,
  'A zygote': /[\s\0]--type=zygote[\s\0]/,
  'A process of Chromium': /[\s\0]--type=|^\0[^\s\0]*\/chrome_crashpad_handler[\s\0]/,
  Chromium: /^\0[^\s\0]*\/chromium\/chromium[\s\0]/,
  Xorg: /^\0[^\s\0]*\/Xorg[\s\0]/,
  openbox: /^\0openbox[\s\0]/,
  PulseAudio: /^\0pulseaudio[\s\0]/,
  'A sandbox': /^\0bwrap[\s\0]/,
} as const;

/**
 * Role of a process. `Another process` if its command line matches no role. The log and `docs/operating.md`
 * use these names.
 */
export type ProcessRole = keyof typeof ROLES | 'Another process';

const NAMES = Object.keys(ROLES) as (keyof typeof ROLES)[];
/**
 * Milliseconds for which the role of a new process is read repeatedly. A process that was just forked still
 * has the command line of its parent.
 */
const FORK_LIMIT_MS = 5_000;

/** A process, and the time since which it has its role. */
export interface KnownProcess {
  role: ProcessRole;
  /** Process id of its parent. */
  parent: number;
  /** Time in milliseconds of the check that first found the role. */
  since: number;
}

/**
 * The roles of a session's processes. Reads the command lines of new processes. Reads the command lines of
 * zygotes again at every check. A process that a zygote has forked for a page looks like a zygote at first,
 * because it still has the zygote's command line.
 */
export class ProcessRoles {
  #known: ReadonlyMap<number, KnownProcess> = new Map();

  constructor(private readonly read: (pid: number) => string = commandLine) {}

  /**
   * Returns the role of each process.
   *
   * @param now milliseconds
   */
  look(uses: readonly Pick<ProcessUse, 'pid' | 'parent'>[], now: number): ReadonlyMap<number, KnownProcess> {
    this.#known = new Map(uses.map(({ pid, parent }) => [pid, this.#roleOf(pid, parent, now)]));
    return this.#known;
  }

  #roleOf(pid: number, parent: number, now: number): KnownProcess {
    const known = this.#known.get(pid);
    if (known && now - known.since >= FORK_LIMIT_MS && known.role !== 'A zygote') return { ...known, parent };
    const role = roleOf(this.read(pid));
    return { role, parent, since: known?.role === role ? known.since : now };
  }
}

/**
 * Returns the role of a process.
 *
 * @param line the arguments of the process, each between NULs or blanks
 */
export function roleOf(line: string): ProcessRole {
  return NAMES.find((name) => ROLES[name].test(line)) ?? 'Another process';
}
