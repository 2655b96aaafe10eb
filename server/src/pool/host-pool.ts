import type { HostSession } from '../host-protocol.js';
import { ServiceError } from '../service-error.js';
import type { Host, HostListener, HostPool, ProfileSave, ProfileTransfer } from '../sessions/ports.js';
import { HostFailure, HostProcess, type HostLaunch } from './host-process.js';
import { Leaving } from './leaving.js';
import { coldReason } from '../launch-key.js';
import { MachineLoad } from './machine-load.js';
import { PLACES, type Places } from './places.js';
import { SpareShelf, type MissReason } from './spare-shelf.js';
import { packageFile } from '../platform/package-files.js';

/** From a session's first picture to the launch of the next spare. */
export const SPARE_DELAY_MS = 2_000;

/** What a pool is made of. */
export interface ForkedHostPoolParts extends HostLaunch {
  places: Places;
  /** Hosts that wait, isolated and loaded, for their session. */
  warmHosts: number;
  /** Browsers that wait, running, for their session. */
  warmBrowsers: number;
  /** Tells whether the machine has time for more of those; by default this one. */
  machine?: Pick<MachineLoad, 'isCalm' | 'hasRoom' | 'isShort'>;
  /** A session was given a browser that waited, or for which reason it was not. */
  onSpare?: (result: 'hit' | MissReason) => void;
}

/** Starts a process per session, and keeps some ready beforehand. */
export class ForkedHostPool implements HostPool {
  readonly #parts: ForkedHostPoolParts;
  readonly #spares = new Set<HostProcess>();
  /** Every host whose place is not released yet, with the end of that. */
  readonly #all = new Map<HostProcess, Promise<void>>();
  /** What saves the profile that a host leaves behind, before its place is cleaned. */
  readonly #profileSaves = new Map<HostProcess, ProfileSave>();
  readonly #leaving: Leaving;
  /** Spares that are being launched. */
  readonly #launches = new Set<Promise<void>>();
  readonly #shelf: SpareShelf<HostProcess>;
  #closed = false;

  constructor(parts: ForkedHostPoolParts) {
    this.#parts = parts;
    this.#leaving = new Leaving(parts.places, parts.clock, parts.log);
    this.#shelf = new SpareShelf({
      most: parts.warmBrowsers,
      launch: () => this.#launch(),
      released: (host) => this.#all.get(host) ?? Promise.resolve(),
      machine: parts.machine ?? new MachineLoad(),
      clock: parts.clock,
      log: parts.log,
    });
    this.#fillSpares();
  }

  /** Milliseconds for which each browser that waits for a session has waited. */
  get spareAges(): number[] {
    return this.#shelf.ages;
  }

  async start(session: HostSession, profile: ProfileTransfer, listener: HostListener): Promise<Host> {
    const host = this.#warmBrowser(session, profile) ?? (await this.#hostFor(session));
    if (this.#closed) {
      await host.kill();
      throw new ServiceError('err_unavailable');
    }
    const { load, save } = profile;
    try {
      await load?.(host.place);
      // Only when all is there: what a killed service left half loaded must not be saved.
      if (save) await this.#parts.places.keep(host.place, save.id);
    } catch (error) {
      // The host has seen nothing yet.
      await host.kill();
      throw error;
    }
    if (save) this.#profileSaves.set(host, save);
    const begun = this.#shelf.begins();
    host.start(session, listener);
    // Only later: loading a spare would take the processor from this session's first pictures.
    void host.shown.then(() =>
      this.#parts.clock.setTimeout(() => {
        begun();
        this.#fillSpares();
      }, SPARE_DELAY_MS),
    );
    void host.gone.then(begun);
    const released = this.#all.get(host);
    void host.gone.then(async (end) => {
      await released;
      listener.onEnded(end.reason, end.message);
      this.#fillSpares();
    });
    return host;
  }

  takeUp(saveOf: (profileId: string) => ProfileSave): void {
    const { places } = this.#parts;
    for (const { place, profile } of places.left()) this.#leaving.takeUp(place, saveOf(profile));
    for (const place of places.unclean()) void this.#leaving.leave(place, null);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#launches, this.#shelf.close()]);
    await Promise.all(
      [...this.#all.keys()].map((host) => (this.#spares.has(host) ? host.kill() : host.stop('ended'))),
    );
    await Promise.all(this.#all.values());
    await this.#leaving.close();
  }

  /** A host whose browser runs already, as the session needs it. */
  #warmBrowser(session: HostSession, { load }: ProfileTransfer): HostProcess | undefined {
    const { warmBrowsers, onSpare } = this.#parts;
    if (warmBrowsers === 0) return undefined;
    const cold = coldReason(session, load !== null);
    const { host, miss } = cold ? { host: undefined, miss: cold } : this.#shelf.take(session);
    onSpare?.(miss ?? 'hit');
    return host;
  }

  /** A host that waits, or a new one, which knows the session's screen while it loads itself. */
  async #hostFor(session: HostSession): Promise<HostProcess> {
    for (const spare of this.#spares) {
      this.#spares.delete(spare);
      try {
        await spare.ready;
        return spare;
      } catch {
        // Reported when it failed. A fresh one tells whether this was bad luck.
      }
    }
    const host = await this.#launch(session).catch((error: unknown) => {
      if (!isExhausted(error)) throw error;
      this.#parts.log.error('no session host could be started', { error });
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

  async #launch(session?: HostSession): Promise<HostProcess> {
    const { places } = this.#parts;
    let place = await places.take();
    while (!place && session && (await this.#shelf.makeRoom())) place = await places.take();
    if (!place) throw new ServiceError('err_exceeded_vm_limit', PLACES);
    const host = new HostProcess(this.#parts, place, session);
    const released = host.gone
      .then(() => this.#leaving.leave(place, this.#profileSaves.get(host) ?? null))
      .then(() => host.removeGroup())
      .then(() => {
        this.#spares.delete(host);
        this.#profileSaves.delete(host);
        this.#all.delete(host);
      });
    this.#all.set(host, released);
    return host;
  }

  /** A spare that fails is not replaced before the next session starts or ends, so a broken host never spins. */
  #fillSpares(): void {
    while (!this.#closed && this.#spares.size + this.#launches.size < this.#parts.warmHosts) {
      const launch = this.#launchSpare().finally(() => this.#launches.delete(launch));
      this.#launches.add(launch);
    }
  }

  async #launchSpare(): Promise<void> {
    try {
      const host = await this.#launch();
      if (this.#closed) await host.kill();
      else this.#spares.add(host);
    } catch (error) {
      this.#parts.log.warn('no spare session host could be started', { error });
    }
  }
}

const EXHAUSTED = 'the machine has no descriptors or processes left.';

/** Whether an error says that the machine has no more of what every program needs, see errno(3). */
function isExhausted(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EMFILE' || code === 'ENFILE' || code === 'EAGAIN' || code === 'ENOMEM';
}

/** The main module of session hosts, as the build has made it. */
export function hostEntry(): string {
  return packageFile('dist', 'host', 'main.js');
}
