import type { HostSession } from '../host-protocol.js';
import { inTime } from '../platform/in-time.js';
import type { Workstation, WorkstationListener } from './workstation.js';

/** A browser that has not taken a session's settings by then is given up for one that is started for it. Milliseconds. */
export const BECOME_TIMEOUT_MS = 3_000;

/** Nobody uses it, so what happens to it matters to nobody. */
const NOBODY: WorkstationListener = {
  onDropped: () => undefined,
  onTabRefused: () => undefined,
  onPageCrashed: () => undefined,
  onPageHung: () => undefined,
  onInvalidSelector: () => undefined,
  onHang: () => undefined,
};

/** What a {@link SpareBrowser} needs of a workstation. */
type Startable = Pick<Workstation, 'become' | 'partEnded' | 'stop'>;

/** A workstation that was started before anybody asked for it. It serves one session, or none. */
export class SpareBrowser<Started extends Startable = Workstation> {
  #listener = NOBODY;
  #taken = false;
  /** Undefined: it could not be started, or a part of it has ended. */
  readonly #workstation: Promise<Started | undefined>;
  #stopping: Promise<void> | undefined;

  /**
   * @param start starts the workstation, as for a session that `spareSession` makes
   * @param told called with what is wrong once it cannot be used, or without anything when it can
   */
  constructor(start: (listener: WorkstationListener) => Promise<Started>, told: (problem?: string) => void) {
    const listener: WorkstationListener = {
      onDropped: (drop) => this.#listener.onDropped(drop),
      onTabRefused: () => this.#listener.onTabRefused(),
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
   * Gives the browser to a session of the same launch key, once; `listener` is told of it from then on. Undefined when there is none
   * that takes it: then nothing of it runs any more.
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
      const late = () => Promise.reject(new Error('The browser did not take its session in time.'));
      const lost = workstation.partEnded.then(({ name }) => Promise.reject(new Error(`${name} has ended.`)));
      await Promise.race([inTime(workstation.become(session), BECOME_TIMEOUT_MS, late), lost]);
      return workstation;
    } catch {
      await workstation.stop();
      return undefined;
    }
  }

  /** Ends it, unless it is a session's by now, who ends it then. */
  stop(): Promise<void> {
    if (this.#taken) return Promise.resolve();
    this.#stopping ??= this.#workstation.then((workstation) => workstation?.stop());
    return this.#stopping;
  }
}
