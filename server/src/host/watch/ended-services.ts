import type { KnownProcess, ProcessRole } from './process-roles.js';

/**
 * Function of the browser that is interrupted when one of its service processes ends. Chromium itself
 * restarts its GPU process, but not its zygotes, which start the processes of pages.
 */
export type ServiceLoss = 'picture' | 'pages';

/** Services that Chromium needs while it runs, and the function that is interrupted when each ends. */
const SERVICES: Partial<Record<ProcessRole, ServiceLoss>> = {
  'The GPU process': 'picture',
  // When a zygote ends, all pages end too, and Chromium cannot start new ones.
  'A zygote': 'pages',
};
/**
 * Number of checks that must find the browser alive after a zygote's end. When a browser ends, its zygotes
 * end a moment before it.
 */
const LOOKS_WITHOUT_ZYGOTE = 2;
/**
 * Maximum number of checks until the new process of a service is found. A browser that is closing starts
 * none.
 */
const MAX_LOOKS = 20;

interface Suspicion {
  pid: number;
  loss: ServiceLoss;
  role: ProcessRole;
  browsers: readonly number[];
  looks: number;
}

/** Detects that a service of Chromium has ended while the browser itself continues. */
export class EndedServices {
  #before: ReadonlyMap<number, KnownProcess> = new Map();
  #suspicions: Suspicion[] = [];

  /**
   * Returns the interrupted functions. `picture` is returned when the new process runs, `pages` when the
   * zygote has ended and the browser continues.
   *
   * @param known all running processes
   */
  look(known: ReadonlyMap<number, KnownProcess>): ServiceLoss[] {
    const roles = [...known.values()].map(({ role }) => role);
    const confirmed = new Set<ServiceLoss>();
    this.#suspicions = [...this.#suspicions, ...this.#newSuspicions(known)].filter((suspicion) => {
      const { pid, loss, role, browsers } = suspicion;
      suspicion.looks += 1;
      // A check can miss a running process, for example if this process has too many open files.
      if (known.get(pid)?.role === role) return false;
      if (!browsers.every((browser) => known.get(browser)?.role === 'Chromium')) return false;
      const sure = loss === 'pages' ? suspicion.looks > LOOKS_WITHOUT_ZYGOTE : roles.includes(role);
      if (sure) confirmed.add(loss);
      return !sure && suspicion.looks < MAX_LOOKS;
    });
    this.#before = known;
    return [...confirmed];
  }

  #newSuspicions(known: ReadonlyMap<number, KnownProcess>): Suspicion[] {
    const before = [...this.#before];
    const parentRole = ({ parent }: KnownProcess) => this.#before.get(parent)?.role;
    // For a moment, a process that the browser has just forked looks like another browser. So processes whose
    // parent is a browser are left out.
    const browsers = before
      .filter(([, process]) => process.role === 'Chromium' && parentRole(process) !== 'Chromium')
      .map(([pid]) => pid);
    if (browsers.length === 0) return [];
    return before.flatMap(([pid, process]) => {
      const { role } = process;
      const loss = known.has(pid) ? undefined : SERVICES[role];
      // The browser itself starts its zygotes. A process that a zygote has just forked looks like a zygote
      // for a moment, but has another parent.
      const forked = role === 'A zygote' && parentRole(process) !== 'Chromium';
      return loss === undefined || forked ? [] : [{ pid, loss, role, browsers, looks: 0 }];
    });
  }
}
