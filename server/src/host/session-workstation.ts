import type { Notice } from 'cloud-browser/protocol';
import type { HostPlace, HostSession } from '../host-protocol.js';
import type { ProcessExit } from '../platform/process/child-process.js';
import { systemClock, type Clock } from '../platform/time/clock.js';
import { withTimeout } from '../platform/time/timeout.js';
import type { StartOrder } from './enforce-limits.js';
import { RestartPolicy } from './restart-policy.js';
import { restartedSession, restartNotice } from './restarted-session.js';
import { NOTICES } from './room/notices.js';
import type { SessionStateMachine } from './session-state.js';
import type { EarlyParts } from './workstation/early-parts.js';
import type { PartEnd } from './workstation/part-end.js';
import type { WarmWorkstation } from './workstation/warm-workstation.js';
import { reportsTo } from './workstation/workstation-reports.js';
import { Workstation } from './workstation/workstation.js';

/**
 * Timeout of a browser's restart. Milliseconds. The session ends on timeout. The service has the same timeout
 * for the first browser.
 */
const RESTART_TIMEOUT_MS = 60_000;
/**
 * Longest time in milliseconds for which {@link SessionWorkstation.stop} waits for a start. It is short
 * because the browser must also write its profile before the service kills the host.
 */
export const START_WAIT_MS = 1_000;
/**
 * Time in milliseconds in which a browser reports the end of a killed page. A busy machine takes longer than
 * usual to free the memory of the page.
 */
export const PAGE_END_MS = 5_000;

/** The session that owns the workstation. */
export interface WorkstationOwner {
  /** The state of the session. */
  life: SessionStateMachine;
  warn: (message: string, fields?: Record<string, unknown>) => void;
  /** Notifies viewers. */
  notify: (notice: Notice) => void;
  /** Called when a workstation runs: at the session's start and after each restart. */
  onRunning: (workstation: Workstation) => void;
  /** Called for each workstation after the first, before {@link onRunning}. */
  onReplaced: (workstation: Workstation) => void;
  /** Called when a part of the workstation has ended unexpectedly, before a restart. */
  onPartEnded: (exit: ProcessExit) => void;
  /** Ends the session, because its browser ends too often. `sentence` is for users. */
  giveUp: (sentence: string) => void;
  /** Ends the session, because of an error. */
  fail: (sentence: string, error: unknown) => void;
}

/**
 * The workstation of a session: display, window manager and browser. Starts all of them again when one of
 * them ends, because each depends on the others.
 */
export class SessionWorkstation {
  readonly #restarts = new RestartPolicy(systemClock);
  #current: Workstation | undefined;
  /** The workstation that is being started. */
  #starting: Promise<Workstation> | undefined;
  /** True if a part is being ended because it did not answer. */
  #hung = false;
  /** Time at which the session's limits last ended a page. */
  #pageEnded = -Infinity;

  constructor(
    private readonly order: StartOrder,
    private readonly place: HostPlace,
    private readonly early: EarlyParts,
    private readonly owner: WorkstationOwner,
    /** A browser that already runs with the settings of this session. */
    private warm: WarmWorkstation | undefined,
    private readonly clock: Pick<Clock, 'now' | 'setTimeout'> = systemClock,
  ) {}

  /** The newest workstation. It may be ending. */
  get current(): Workstation | undefined {
    return this.#current;
  }

  /**
   * Starts a workstation. Resolves to undefined if the session has ended meanwhile. The started parts are
   * then stopped. Rejects if a part does not start.
   */
  async start(session: HostSession = this.order.session): Promise<Workstation | undefined> {
    this.#starting = this.#start(session).finally(() => (this.#starting = undefined));
    const workstation = await this.#starting;
    if (!this.owner.life.isOver) return workstation;
    await workstation.stop();
    return undefined;
  }

  /**
   * Makes a started workstation available to the session. When a part of this workstation ends, starts
   * another workstation.
   */
  run(workstation: Workstation): void {
    this.owner.life.move('running');
    this.owner.onRunning(workstation);
    void workstation.partEnded.then((end) => {
      if (!workstation.stopping) this.#onPartEnded(end);
    });
  }

  /**
   * Notifies viewers that the session's limits have ended a page. The browser then reports a crash of each
   * page and frame of the same process. These reports do not replace the notice, which has the reason.
   */
  pageEnded(): void {
    this.#pageEnded = this.clock.now();
    this.owner.notify(NOTICES.pageEnded);
  }

  /**
   * Stops the workstation. If a workstation is being started, first waits until it has started, at most for
   * {@link START_WAIT_MS}. Without the wait, the new browser could be killed while it writes the profile.
   */
  async stop(): Promise<void> {
    if (this.#starting) {
      const started = Promise.allSettled([this.#starting]);
      await withTimeout(started, START_WAIT_MS, () => undefined, this.clock);
    }
    await this.#current?.stop();
  }

  async #start(session: HostSession): Promise<Workstation> {
    const { warn, notify } = this.owner;
    const listener = reportsTo({
      ...{ warn, notify, onHung: () => (this.#hung = true) },
      endsPage: () => this.clock.now() - this.#pageEnded < PAGE_END_MS,
    });
    const { warm } = this;
    this.warm = undefined;
    const ready = await warm?.become(session, listener);
    if (warm && !ready) warn('the warm browser could not be used');
    const workstation =
      ready ?? (await Workstation.start(session, this.order.limits, this.place, this.early, listener));
    this.#current = workstation;
    return workstation;
  }

  #onPartEnded({ asked, ...exit }: PartEnd): void {
    const { life, onPartEnded, giveUp, fail } = this.owner;
    if (life.isOver) return;
    onPartEnded(exit);
    const how = asked ? this.#restarts.closed() : this.#restarts.crashed(this.#hung);
    if (how === 'never') {
      giveUp(`${exit.name} keeps ending.`);
      return;
    }
    life.move('restarting');
    const notice = restartNotice(how, asked ? 'closed' : this.#hung ? 'hung' : 'crashed');
    this.#hung = false;
    void this.#restart(restartedSession(this.order.session, how), notice).catch((error: unknown) =>
      fail('The browser could not be started again.', error),
    );
  }

  async #restart(session: HostSession, notice: Notice): Promise<void> {
    const { fail } = this.owner;
    const late = systemClock.setTimeout(
      () => fail('The browser could not be started again in time.', 'its programs do not answer'),
      RESTART_TIMEOUT_MS,
    );
    try {
      await this.stop();
      // Starts nothing if the session has ended meanwhile. Its end would not wait for the new programs.
      if (this.owner.life.isOver) return;
      const workstation = await this.start(session);
      if (!workstation) return;
      this.owner.onReplaced(workstation);
      this.run(workstation);
      this.owner.notify(notice);
    } finally {
      late.cancel();
    }
  }
}
