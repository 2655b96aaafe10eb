import type { HostSession } from '../host-protocol.js';
import type { ColdReason } from '../launch-key.js';
import type { Clock } from '../platform/time/clock.js';
import type { Log } from '../platform/log.js';
import { repeat, type Repetition } from '../platform/time/repeat.js';
import { ServiceError } from '../service-error.js';
import { LaunchDemand } from './launch-demand.js';
import type { MachineLoad } from './machine-load.js';

/** Age in milliseconds at which the pool replaces a warm browser by a new browser. */
export const MAX_AGE_MS = 10 * 60_000;
/** Intervals of the checks in milliseconds: `CHECK_MS` while a browser is missing, otherwise `REST_MS`. */
export const CHECK_MS = 1_000;
const REST_MS = 10_000;
/**
 * Time in milliseconds after which a missing browser is started even if the machine is still busy. Otherwise
 * the next session would have to wait for the start of its browser.
 */
export const MAX_DEFER_MS = 10_000;
/**
 * Pause in milliseconds after a browser failed to start or ended unexpectedly. Without the pause, a browser
 * that always fails would keep the machine busy. The next request for a session ends the pause.
 */
export const RETRY_MS = 60_000;

/**
 * Reason why a session received no warm browser.
 * - A `ColdReason`: a warm browser cannot serve this session.
 * - `unasked`: no earlier session has requested this session's launch key recently, and the key is not
 *   expected.
 * - `none_ready`: the session's key was requested recently or is expected, but there was no browser for it.
 * - `starting`: the browser for the session was still starting, and the session waits for it.
 */
export type MissReason = ColdReason | 'unasked' | 'none_ready' | 'starting';

/** Result of a search for a warm browser. */
export interface WarmBrowserLookup<Host> {
  /** The host, which the session owns from now on. */
  host: Host | undefined;
  /** Undefined if the browser was ready. */
  miss: Exclude<MissReason, ColdReason> | undefined;
}

/** A host with a warm browser. */
export interface WarmHost {
  /**
   * Starts the browser. Rejects if it does not start.
   *
   * @param share `waiting`: the start uses only processor time that sessions with viewers do not need
   */
  prepare(session: HostSession, share: 'waiting'): Promise<void>;
  /** Resolves when the host is gone. */
  gone: Promise<unknown>;
  kill(): Promise<unknown>;
}

/** Dependencies and options of a {@link WarmBrowserPool}. */
export interface WarmBrowserPoolParts<Host extends WarmHost> {
  /** Maximum number of browsers that wait at the same time. */
  most: number;
  /** Starts a host. Rejects if the machine has no place for it. */
  launch(): Promise<Host>;
  /** Resolves when a host's place is free again. */
  released(host: Host): Promise<unknown>;
  machine: Pick<MachineLoad, 'isCalm' | 'hasRoom' | 'isShort'>;
  /** Called when a browser could not be started. */
  onFailure?: (problem: string) => void;
  clock: Clock;
  log: Log;
}

interface WarmBrowser<Host> {
  key: string;
  host: Host;
  /** Time on the clock at which the browser became ready. Undefined while it starts. */
  since: number | undefined;
}

/**
 * Pool of warm browsers: running browsers that wait for a session. Keeps browsers for the launch keys that
 * sessions requested recently. A launch key identifies the settings with which a browser starts. Each browser
 * serves one session.
 */
export class WarmBrowserPool<Host extends WarmHost> {
  readonly #demand: LaunchDemand;
  /** The browsers that wait or start, oldest first. */
  readonly #browsers = new Set<WarmBrowser<Host>>();
  /**
   * Sessions that have not shown their first picture. While there is such a session, no browser is started.
   */
  readonly #starting = new Set<symbol>();
  #launching: Promise<void> | undefined;
  /** The repeated check for missing browsers. Each run plans the next one. */
  readonly #checks: Repetition;
  /** Time on the clock from which a browser has been missing although the machine has memory for it. */
  #missingSince: number | undefined;
  #notBefore = -Infinity;
  /**
   * True after the first request for a session. From then on, the start of a warm browser must not slow down
   * sessions.
   */
  #inUse = false;
  #closed = false;

  constructor(private readonly parts: WarmBrowserPoolParts<Host>) {
    this.#demand = new LaunchDemand(parts.clock);
    this.#checks = repeat(parts.clock, { every: Infinity }, () => this.#check());
  }

  /** Waiting time in milliseconds of each browser that is ready. */
  get ages(): number[] {
    const now = this.parts.clock.now();
    return [...this.#browsers].flatMap(({ since }) => (since === undefined ? [] : [now - since]));
  }

  /**
   * Also keeps warm browsers for sessions with these settings, even if no session with these settings was
   * requested. Starts the first one immediately if the machine has resources for it.
   */
  keepWarm(sessions: readonly HostSession[]): void {
    for (const session of sessions) this.#demand.expect(session);
    this.#checkIn(0);
  }

  /** Takes a browser for this session, if there is one. */
  take(session: HostSession): WarmBrowserLookup<Host> {
    this.#inUse = true;
    const { key, known } = this.#demand.record(session);
    this.#notBefore = -Infinity;
    this.#checkSoon();
    const alike = [...this.#browsers].filter((browser) => browser.key === key);
    const browser = alike.find(({ since }) => since !== undefined) ?? alike[0];
    if (!browser) return { host: undefined, miss: known ? 'none_ready' : 'unasked' };
    this.#browsers.delete(browser);
    return { host: browser.host, miss: browser.since === undefined ? 'starting' : undefined };
  }

  /**
   * Records that a session starts. No warm browser is started until the caller calls the returned function.
   */
  sessionStarting(): () => void {
    const session = Symbol();
    this.#starting.add(session);
    return () => {
      if (this.#starting.delete(session)) this.#checkSoon();
    };
  }

  /**
   * Ends a warm browser, because a session needs its place. Resolves with true when the place is free, or
   * with false if there is no warm browser.
   */
  async makeRoom(): Promise<boolean> {
    const [browser] = this.#browsers;
    if (!browser) return false;
    await this.#end(browser);
    return true;
  }

  /** Ends all browsers. Resolves when they are gone. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#checks.stop();
    const ended = [...this.#browsers].map((browser) => this.#end(browser));
    await Promise.all([...ended, this.#launching]);
  }

  #checkSoon(): void {
    this.#checkIn(CHECK_MS);
  }

  #checkIn(milliseconds: number): void {
    if (this.parts.most > 0) this.#checks.runIn(milliseconds);
  }

  #check(): void {
    const { machine, most, clock } = this.parts;
    const calm = machine.isCalm();
    const short = machine.isShort();
    const keys = this.#demand.keysToKeep(most);
    const missing = [...keys];
    for (const browser of this.#browsers) {
      const place = missing.indexOf(browser.key);
      const old = browser.since !== undefined && clock.now() - browser.since >= MAX_AGE_MS;
      if (place < 0 || old || short) void this.#end(browser);
      else missing.splice(place, 1);
    }
    const [next] = missing;
    if (next === undefined || this.#launching || this.#starting.size > 0 || !machine.hasRoom()) {
      this.#missingSince = undefined;
    } else {
      this.#missingSince ??= clock.now();
      const patient = this.#inUse && clock.now() - this.#missingSince < MAX_DEFER_MS;
      if ((calm || !patient) && clock.now() >= this.#notBefore) this.#start(next);
    }
    if (keys.length > 0 || this.#browsers.size > 0) this.#checkIn(missing.length > 0 ? CHECK_MS : REST_MS);
  }

  #start(key: string): void {
    const session = this.#demand.session(key);
    if (!session) return;
    this.#missingSince = undefined;
    this.#launching = this.#launch(key, session)
      .catch((error: unknown) => {
        this.#notBefore = this.parts.clock.now() + RETRY_MS;
        if (this.#closed) return;
        this.parts.log.warn('could not start a warm browser', { error });
        if (error instanceof Error && !isNoPlace(error)) this.parts.onFailure?.(error.message);
      })
      .finally(() => {
        this.#launching = undefined;
        this.#checkSoon();
      });
  }

  async #launch(key: string, session: HostSession): Promise<void> {
    const host = await this.parts.launch();
    const browser: WarmBrowser<Host> = { key, host, since: undefined };
    this.#browsers.add(browser);
    void host.gone.then(() => {
      // A browser that is still in the set has ended unexpectedly. Otherwise a session has taken it, or the
      // pool has ended it.
      if (this.#browsers.delete(browser)) this.#notBefore = this.parts.clock.now() + RETRY_MS;
    });
    if (this.#closed) return this.#end(browser);
    try {
      await host.prepare(session, 'waiting');
      browser.since = this.parts.clock.now();
    } catch (error) {
      // If the browser is no longer in the set, the pool has ended it or a session has taken it. In the
      // second case, the host starts another browser for the session.
      if (!this.#browsers.has(browser)) return;
      await this.#end(browser);
      throw error;
    }
  }

  async #end(browser: WarmBrowser<Host>): Promise<void> {
    this.#browsers.delete(browser);
    await browser.host.kill();
    await this.parts.released(browser.host);
  }
}

/** True if the error means that the machine has no place for another host. This is not a failed start. */
function isNoPlace(error: Error): boolean {
  return error instanceof ServiceError && error.code === 'err_exceeded_vm_limit';
}
