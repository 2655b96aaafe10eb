import type { HostPlace, HostSession } from '../host-protocol.js';
import { ServiceError } from '../service-error.js';
import type { Host, HostListener, HostPool, ProfileSave, ProfileTransfer } from '../sessions/ports.js';
import type { ProfileWorkingCopy } from '../sessions/profiles/profile-claims.js';
import { HostFailure } from './host/host-failure.js';
import { HostProcess, type HostLaunch } from './host/host-process.js';
import { PlaceCleanup } from './place-cleanup.js';
import { coldReason } from '../launch-key.js';
import { MachineLoad } from './machine-load.js';
import { PLACES, type Places } from './places.js';
import { WarmBrowserPool, type MissReason } from './warm-browser-pool.js';
import { packageFile } from '../platform/files/package-files.js';

/**
 * Pause in milliseconds between a session's first picture and the launch of the next warm host or browser. A
 * warm host or browser is started in advance and waits for a session.
 */
export const WARM_DELAY_MS = 2_000;

/** Options and dependencies of a pool. */
export interface ForkedHostPoolParts extends HostLaunch {
  places: Places;
  /** Number of host processes that are started in advance and wait for a session. */
  warmHosts: number;
  /** Number of browsers that are started in advance and wait for a session. */
  warmBrowsers: number;
  /** Load of the machine, which decides whether more browsers start. Default: the load of this machine. */
  machine?: Pick<MachineLoad, 'isCalm' | 'hasRoom' | 'isShort'>;
  /**
   * Called on a failure. `host`: a session host does not start. `session`: the browser of a warm host does
   * not start.
   */
  onFailure?: (stage: 'host' | 'session', problem: string) => void;
  /**
   * Called for each session if `warmBrowsers` is not 0. `hit`: the session received a warm browser that was
   * ready. Otherwise the result is the reason why it did not.
   */
  onWarmBrowser?: (result: 'hit' | MissReason) => void;
}

/** Starts one host process per session. Starts some hosts and browsers in advance. */
export class ForkedHostPool implements HostPool {
  readonly #parts: ForkedHostPoolParts;
  readonly #warmHosts = new Set<HostProcess>();
  /**
   * All hosts whose places (directory and user id, see {@link Places}) are not released yet. Each promise
   * resolves after the release.
   */
  readonly #all = new Map<HostProcess, Promise<void>>();
  /**
   * Saves of the profiles of sessions, by host. Each save runs after the session has ended and before its
   * place is cleaned.
   */
  readonly #profileSaves = new Map<HostProcess, ProfileSave>();
  /** Loads of profiles, by host. A place is cleaned only after its load has ended. */
  readonly #loads = new Map<HostProcess, Promise<void>>();
  readonly #cleanup: PlaceCleanup;
  /** Warm hosts that are being launched. */
  readonly #launches = new Set<Promise<void>>();
  readonly #warmBrowsers: WarmBrowserPool<HostProcess>;
  #closed = false;

  constructor(parts: ForkedHostPoolParts) {
    this.#parts = parts;
    this.#cleanup = new PlaceCleanup(parts.places, parts.clock, parts.log);
    this.#warmBrowsers = new WarmBrowserPool({
      most: parts.warmBrowsers,
      launch: () => this.#launch(),
      onFailure: (problem) => parts.onFailure?.('session', problem),
      released: (host) => this.#all.get(host) ?? Promise.resolve(),
      machine: parts.machine ?? new MachineLoad(),
      clock: parts.clock,
      log: parts.log,
    });
    this.#fillWarmHosts();
  }

  /** Waiting time of each warm browser in milliseconds. */
  get warmBrowserAges(): number[] {
    return this.#warmBrowsers.ages;
  }

  /**
   * Always keeps browsers for these kinds of sessions ready, up to the number in the setting `WARM_BROWSERS`.
   */
  keepWarm(sessions: readonly HostSession[]): void {
    this.#warmBrowsers.keepWarm(sessions);
  }

  async start(session: HostSession, profile: ProfileTransfer, listener: HostListener): Promise<Host> {
    const warm = this.#warmBrowser(session, profile);
    // The host of a warm browser may still be loading, or may have failed. Only a usable host receives the
    // session.
    const host = warm && (await isUsable(warm)) ? warm : await this.#hostFor(session);
    if (this.#closed) {
      await host.kill();
      throw new ServiceError('err_unavailable');
    }
    const load = this.#load(host, profile);
    this.#loads.set(
      host,
      load.catch(() => undefined),
    );
    try {
      await load;
    } catch (error) {
      // Kills the host at once, because it has no session to end.
      await host.kill();
      throw error;
    }
    const begun = this.#warmBrowsers.sessionStarting();
    host.start(session, listener);
    // Waits, because the launch of a warm host would take processor time from this session's first pictures.
    void host.shown.then(() =>
      this.#parts.clock.setTimeout(() => {
        begun();
        this.#fillWarmHosts();
      }, WARM_DELAY_MS),
    );
    void host.gone.then(begun);
    const released = this.#all.get(host);
    void host.gone.then(async (end) => {
      await released;
      listener.onEnded(end.reason, end.message);
      this.#fillWarmHosts();
    });
    return host;
  }

  /**
   * Makes a trial start: starts a browser with the settings of this session, and ends it. Resolves when the
   * place is free again. Rejects with {@link HostFailure} if the browser does not start, and with a
   * `ServiceError` if no place is free.
   */
  async tryStart(session: HostSession): Promise<void> {
    const host = await this.#launch(undefined, 'trial');
    try {
      await host.prepare(session, 'usual');
    } finally {
      await host.kill();
      await this.#all.get(host);
    }
    this.#fillWarmHosts();
  }

  recover(saveOf: (workingCopy: ProfileWorkingCopy) => ProfileSave): void {
    const { places } = this.#parts;
    for (const { place, workingCopy } of places.unsaved()) this.#cleanup.recover(place, saveOf(workingCopy));
    for (const place of places.unclean()) void this.#cleanup.saveAndRelease(place, null);
  }

  /** Repeats failed saves of profiles within 15 seconds, even if a longer pause was planned. */
  retrySaves(): void {
    this.#cleanup.retrySoon();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#launches, this.#warmBrowsers.close()]);
    await Promise.all(
      [...this.#all.keys()].map((host) => (this.#warmHosts.has(host) ? host.kill() : host.stop('ended'))),
    );
    await Promise.all(this.#all.values());
    await this.#cleanup.close();
  }

  /** Loads a session's profile into the place of its host. */
  async #load(host: HostProcess, { load, save }: ProfileTransfer): Promise<void> {
    await load?.(host.place);
    if (!save) return;
    // Records the save only after a complete load. If the service is killed, the next start must not save a
    // partly loaded profile.
    await this.#parts.places.keep(host.place, save.workingCopy);
    this.#profileSaves.set(host, save);
  }

  /**
   * Returns a host whose browser runs, or is starting, with the settings that the session needs. Returns
   * undefined if there is none.
   */
  #warmBrowser(session: HostSession, { load }: ProfileTransfer): HostProcess | undefined {
    const { warmBrowsers, onWarmBrowser } = this.#parts;
    if (warmBrowsers === 0) return undefined;
    const cold = coldReason(session, load !== null);
    const { host, miss } = cold ? { host: undefined, miss: cold } : this.#warmBrowsers.take(session);
    onWarmBrowser?.(miss ?? 'hit');
    return host;
  }

  /** Returns a warm host, or a new one. A new host receives the session's screen settings while it loads. */
  async #hostFor(session: HostSession): Promise<HostProcess> {
    for (const warm of this.#warmHosts) {
      this.#warmHosts.delete(warm);
      // Ignores a warm host that has failed, because its failure was already reported and a new host may
      // still start.
      if (await isUsable(warm)) return warm;
    }
    const host = await this.#launch(session).catch((error: unknown) => {
      if (!isExhausted(error)) throw error;
      this.#parts.log.error('could not start a session host', { error });
      this.#parts.onFailure?.('host', EXHAUSTED);
      throw new ServiceError('err_session_failed', EXHAUSTED);
    });
    try {
      await host.ready;
    } catch (error) {
      const problem = error instanceof HostFailure ? error.message : 'its host failed.';
      throw new ServiceError('err_session_failed', problem);
    }
    return host;
  }

  async #launch(session?: HostSession, purpose?: 'trial'): Promise<HostProcess> {
    const { places } = this.#parts;
    let place = await places.take();
    while (!place && session && (await this.#warmBrowsers.makeRoom())) place = await places.take();
    if (!place) throw new ServiceError('err_exceeded_vm_limit', PLACES);
    const host = await this.#fork(place, session);
    host.ready.catch((error: unknown) => {
      if (!this.#closed && !host.stopped && purpose !== 'trial')
        this.#parts.onFailure?.('host', error instanceof Error ? error.message : String(error));
    });
    void host.gone.then(() => this.#warmHosts.delete(host));
    const released = host.gone
      // Waits for the load of the profile, because the host may end earlier. If the place were free before
      // the load ends, the profile would reach the next session in this place.
      .then(() => this.#loads.get(host))
      .then(() => this.#cleanup.saveAndRelease(place, this.#profileSaves.get(host) ?? null))
      .then(() => host.removeGroup())
      .then(() => {
        this.#profileSaves.delete(host);
        this.#loads.delete(host);
        this.#all.delete(host);
      });
    this.#all.set(host, released);
    return host;
  }

  /** Starts a host in a place. Frees the place if the host cannot be started. */
  async #fork(place: HostPlace, session: HostSession | undefined): Promise<HostProcess> {
    try {
      return new HostProcess(this.#parts, place, session);
    } catch (error) {
      await this.#cleanup.saveAndRelease(place, null);
      throw error;
    }
  }

  /**
   * Launches missing warm hosts. A failed warm host is replaced only when the next session starts or ends,
   * so a broken host causes no restart loop.
   */
  #fillWarmHosts(): void {
    while (!this.#closed && this.#warmHosts.size + this.#launches.size < this.#parts.warmHosts) {
      const launch = this.#launchWarmHost().finally(() => this.#launches.delete(launch));
      this.#launches.add(launch);
    }
  }

  async #launchWarmHost(): Promise<void> {
    try {
      const host = await this.#launch();
      if (this.#closed) await host.kill();
      else this.#warmHosts.add(host);
    } catch (error) {
      this.#parts.log.warn('could not start a warm session host', { error });
    }
  }
}

/** Resolves with true when a warm host can take a session, and with false if it has ended. */
async function isUsable(host: HostProcess): Promise<boolean> {
  return host.ready.then(
    () => !host.lost,
    () => false,
  );
}

const EXHAUSTED = 'the machine has no descriptors or processes left.';

/** True if an error means that the machine has no descriptors, processes or memory left, see errno(3). */
function isExhausted(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EMFILE' || code === 'ENFILE' || code === 'EAGAIN' || code === 'ENOMEM';
}

/** Main module of session hosts in the build. */
export function hostEntry(): string {
  return packageFile('dist', 'host', 'main.js');
}
