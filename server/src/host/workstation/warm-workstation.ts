import type { HostSession } from '../../host-protocol.js';
import { withTimeout } from '../../platform/time/timeout.js';
import type { WorkstationListener } from './start-workstation.js';
import type { Workstation } from './workstation.js';

/**
 * Timeout for a warm browser (one that was started in advance) to apply a session's settings. Milliseconds.
 * On timeout, another browser is started for the session.
 */
export const BECOME_TIMEOUT_MS = 3_000;

/** Ignores all events, because no user sees the browser. */
const NOBODY: WorkstationListener = {
  onDropped: () => undefined,
  onTabRefused: () => undefined,
  onProgramLink: () => undefined,
  onPageCrashed: () => undefined,
  onPageHung: () => undefined,
  onInvalidSelector: () => undefined,
  onHang: () => undefined,
};

/** Parts of a workstation that a {@link WarmWorkstation} uses. */
type Startable = Pick<Workstation, 'become' | 'partEnded' | 'stop'>;

/** A workstation that was started in advance. It serves at most one session. */
export class WarmWorkstation<Started extends Startable = Workstation> {
  #listener = NOBODY;
  #taken = false;
  /** Resolves to undefined if the workstation could not be started. */
  readonly #workstation: Promise<Started | undefined>;
  #stopping: Promise<void> | undefined;

  /**
   * @param start starts the workstation, for the session that `warmSession` returns
   * @param told called without an argument when the workstation is ready, and with the problem when it cannot
   *   be used
   */
  constructor(start: (listener: WorkstationListener) => Promise<Started>, told: (problem?: string) => void) {
    const listener: WorkstationListener = {
      onDropped: (drop) => this.#listener.onDropped(drop),
      onTabRefused: () => this.#listener.onTabRefused(),
      onProgramLink: () => this.#listener.onProgramLink(),
      onPageCrashed: () => (this.#taken ? this.#listener.onPageCrashed() : lost('Its page has crashed.')),
      onPageHung: (milliseconds) => this.#listener.onPageHung(milliseconds),
      onInvalidSelector: (selector) => this.#listener.onInvalidSelector(selector),
      onHang: (hang) => this.#listener.onHang(hang),
    };
    const lost = (problem: string) => {
      if (this.#taken) return;
      void this.stop();
      told(problem);
    };
    this.#workstation = start(listener).then(
      (workstation) => {
        void workstation.partEnded.then(({ name }) => lost(`${name} has ended.`));
        told();
        return workstation;
      },
      (error: unknown) => {
        lost(error instanceof Error ? error.message : String(error));
        return undefined;
      },
    );
  }

  /**
   * Assigns the browser to a session with the same launch key (see `launch-key.ts`). Can be called once. From
   * then on, `listener` receives the browser's events. Resolves to undefined if the browser cannot be used.
   * Then all its processes have ended.
   */
  async become(session: HostSession, listener: WorkstationListener): Promise<Started | undefined> {
    const workstation = await this.#workstation;
    if (this.#taken || this.#stopping || !workstation) {
      await this.#stopping;
      return undefined;
    }
    this.#taken = true;
    this.#listener = listener;
    try {
      const late = () =>
        Promise.reject(new Error('The warm browser did not apply the settings of the session in time.'));
      const lost = workstation.partEnded.then(({ name }) => Promise.reject(new Error(`${name} has ended.`)));
      await Promise.race([withTimeout(workstation.become(session), BECOME_TIMEOUT_MS, late), lost]);
      return workstation;
    } catch {
      await workstation.stop();
      return undefined;
    }
  }

  /** Ends the browser if no session uses it. A session that uses the browser ends it itself. */
  stop(): Promise<void> {
    if (this.#taken) return Promise.resolve();
    this.#stopping ??= this.#workstation.then((workstation) => workstation?.stop());
    return this.#stopping;
  }
}
