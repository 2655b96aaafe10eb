import type { HostSession } from '../host-protocol.js';
import type { ColdReason } from '../launch-key.js';
import type { Clock, Timer } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import { LaunchDemand } from './launch-demand.js';
import type { MachineLoad } from './machine-load.js';

/** A browser that has waited so long is replaced by a fresh one. */
export const SPARE_AGE_MS = 10 * 60_000;
/** Between two looks at the machine while a browser is wanted, and while none is. */
export const LOOK_MS = 1_000;
const REST_MS = 10_000;
/**
 * A machine that was never calm for so long gets its browser all the same: it would start one when somebody waits for it, which is the
 * same work at a worse moment.
 */
export const PATIENCE_MS = 10_000;
/** After one that could not be started, or ended, unless somebody asks before: a browser that always ends must not keep the machine busy. */
export const RETRY_MS = 60_000;

/**
 * Why a session had no browser that waited: it needs one of its own; nobody asked for its launch key lately (`unasked`); it was asked
 * for, but there was none (`none_ready`), or it was still being started, which the session then waits for (`starting`).
 */
export type MissReason = ColdReason | 'unasked' | 'none_ready' | 'starting';

/** What a session finds on the shelf. */
export interface Found<Host> {
  /** Its own from now on. */
  host: Host | undefined;
  /** Undefined: its browser waits. */
  miss: Exclude<MissReason, ColdReason> | undefined;
}

/** A host whose browser waits for a session. */
export interface SpareHost {
  /** Starts the browser; rejects when there is none. */
  prepare(session: HostSession): Promise<void>;
  /** Resolves when the host is gone. */
  gone: Promise<unknown>;
  kill(): Promise<unknown>;
}

/** What a {@link SpareShelf} needs. */
export interface SpareShelfParts<Host extends SpareHost> {
  /** Browsers that wait at once. */
  most: number;
  /** Starts a host; rejects when there is no place for one. */
  launch(): Promise<Host>;
  /** Resolves when a host's place is free again. */
  released(host: Host): Promise<unknown>;
  machine: Pick<MachineLoad, 'isCalm' | 'hasRoom' | 'isShort'>;
  clock: Clock;
  log: Log;
}

interface Spare<Host> {
  key: string;
  host: Host;
  /** When its browser was there, on the clock. */
  since: number | undefined;
}

/** Browsers that run already, for the launch keys that were asked for lately. Each is given to one session, once. */
export class SpareShelf<Host extends SpareHost> {
  readonly #demand: LaunchDemand;
  /** Oldest first. */
  readonly #spares = new Set<Spare<Host>>();
  /** Sessions whose first pictures nothing may delay. */
  readonly #starting = new Set<symbol>();
  #launching: Promise<void> | undefined;
  #look: Timer | undefined;
  /** Since when a browser is wanted and could be started but for the load. */
  #wanting: number | undefined;
  #notBefore = -Infinity;
  #closed = false;

  constructor(private readonly parts: SpareShelfParts<Host>) {
    this.#demand = new LaunchDemand(parts.clock);
  }

  /** Milliseconds for which each browser that could be taken has waited. */
  get ages(): number[] {
    const now = this.parts.clock.now();
    return [...this.#spares].flatMap(({ since }) => (since === undefined ? [] : [now - since]));
  }

  /** Looks for a browser for this session. */
  take(session: HostSession): Found<Host> {
    const { key, known } = this.#demand.ask(session);
    this.#notBefore = -Infinity;
    this.#lookSoon();
    const alike = [...this.#spares].filter((spare) => spare.key === key);
    const spare = alike.find(({ since }) => since !== undefined) ?? alike[0];
    if (!spare) return { host: undefined, miss: known ? 'none_ready' : 'unasked' };
    this.#spares.delete(spare);
    return { host: spare.host, miss: spare.since === undefined ? 'starting' : undefined };
  }

  /** A session starts. Nothing is started beside it until the answer is called. */
  begins(): () => void {
    const session = Symbol();
    this.#starting.add(session);
    return () => {
      if (this.#starting.delete(session)) this.#lookSoon();
    };
  }

  /** Ends one that waits, since a session needs its place; resolves when that is free. False: there is none. */
  async makeRoom(): Promise<boolean> {
    const [spare] = this.#spares;
    if (!spare) return false;
    await this.#end(spare);
    return true;
  }

  /** Ends all of them; resolves when they are gone. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#look?.cancel();
    const ended = [...this.#spares].map((spare) => this.#end(spare));
    await Promise.all([...ended, this.#launching]);
  }

  #lookSoon(): void {
    this.#lookIn(LOOK_MS);
  }

  #lookIn(milliseconds: number): void {
    this.#look?.cancel();
    if (this.#closed || this.parts.most === 0) return;
    this.#look = this.parts.clock.setTimeout(() => this.#onLook(), milliseconds);
  }

  #onLook(): void {
    const { machine, most, clock } = this.parts;
    const calm = machine.isCalm();
    const short = machine.isShort();
    const wanted = this.#demand.wanted(most);
    const missing = [...wanted];
    for (const spare of this.#spares) {
      const place = missing.indexOf(spare.key);
      const old = spare.since !== undefined && clock.now() - spare.since >= SPARE_AGE_MS;
      if (place < 0 || old || short) void this.#end(spare);
      else missing.splice(place, 1);
    }
    const [next] = missing;
    if (next === undefined || this.#launching || this.#starting.size > 0 || !machine.hasRoom()) {
      this.#wanting = undefined;
    } else {
      this.#wanting ??= clock.now();
      const patient = clock.now() - this.#wanting < PATIENCE_MS;
      if ((calm || !patient) && clock.now() >= this.#notBefore) this.#start(next);
    }
    if (wanted.length > 0 || this.#spares.size > 0) this.#lookIn(missing.length > 0 ? LOOK_MS : REST_MS);
  }

  #start(key: string): void {
    const session = this.#demand.session(key);
    if (!session) return;
    this.#wanting = undefined;
    this.#launching = this.#launch(key, session)
      .catch((error: unknown) => {
        this.#notBefore = this.parts.clock.now() + RETRY_MS;
        if (!this.#closed)
          this.parts.log.warn('no browser could be started to wait for a session', { error });
      })
      .finally(() => {
        this.#launching = undefined;
        this.#lookSoon();
      });
  }

  async #launch(key: string, session: HostSession): Promise<void> {
    const host = await this.parts.launch();
    const spare: Spare<Host> = { key, host, since: undefined };
    this.#spares.add(spare);
    void host.gone.then(() => {
      // One that was taken is a session's.
      if (this.#spares.delete(spare)) this.#notBefore = this.parts.clock.now() + RETRY_MS;
    });
    if (this.#closed) return this.#end(spare);
    try {
      await host.prepare(session);
      spare.since = this.parts.clock.now();
    } catch (error) {
      // A session has taken it, and has one started by the same host; or it was ended.
      if (!this.#spares.has(spare)) return;
      await this.#end(spare);
      throw error;
    }
  }

  async #end(spare: Spare<Host>): Promise<void> {
    this.#spares.delete(spare);
    await spare.host.kill();
    await this.parts.released(spare.host);
  }
}
