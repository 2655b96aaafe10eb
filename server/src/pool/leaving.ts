import type { HostPlace } from '../host-protocol.js';
import type { Clock, Timer } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import type { ProfileSave } from '../sessions/ports.js';
import type { Places } from './places.js';

/** From a try that failed to the next; each further one waits twice as long, up to {@link LAST_RETRY_MS}. */
export const FIRST_RETRY_MS = 15_000;
const LAST_RETRY_MS = 15 * 60_000;
/** A place whose files are not removed by then, as on a disk that hangs, keeps nobody waiting any longer. */
export const RELEASE_TIMEOUT_MS = 30_000;

/**
 * Saves what a session leaves in its place and only then gives the place back. What fails stays as it is and is tried again;
 * when the service ends before, its successor takes it up.
 */
export class Leaving {
  readonly #retries = new Map<HostPlace, Timer>();
  /** Places whose cleaning takes too long. */
  readonly #late = new Set<HostPlace>();
  readonly #running = new Set<Promise<void>>();
  #closed = false;

  constructor(
    private readonly places: Pick<Places, 'abandon' | 'deserted' | 'killProcesses' | 'release'>,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Resolves when the place is free again, or when what it holds has to wait. */
  leave(place: HostPlace, save: ProfileSave | null): Promise<void> {
    return this.#track(this.#leave(place, save, FIRST_RETRY_MS));
  }

  /** Takes up what a killed service left; its hosts may still be ending. */
  takeUp(place: HostPlace, save: ProfileSave): void {
    this.log.info('a profile is saved that an earlier service left', { profile: save.id });
    void this.#track(this.#takeUp(place, save, FIRST_RETRY_MS));
  }

  /** Tries nothing again; resolves when all that is under way is done. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#retries.values()) timer.cancel();
    await Promise.all(this.#running);
    for (const place of [...this.#retries.keys(), ...this.#late]) this.places.abandon(place);
    this.#retries.clear();
    this.#late.clear();
  }

  async #takeUp(place: HostPlace, save: ProfileSave, wait: number): Promise<void> {
    try {
      await this.places.deserted(place);
    } catch (error) {
      // Who still runs there may still write.
      save.failed(error);
      this.#retryAfter(wait, place, (next) => this.#takeUp(place, save, next));
      return;
    }
    await this.#leave(place, save, wait);
  }

  async #leave(place: HostPlace, save: ProfileSave | null, wait: number): Promise<void> {
    if (!save || (await this.#saved(place, save))) await this.#release(place, FIRST_RETRY_MS);
    else this.#retryAfter(wait, place, (next) => this.#leave(place, save, next));
  }

  /** False: it is to be tried again. A browser whose host was killed may live for a moment, and must not write meanwhile. */
  async #saved(place: HostPlace, save: ProfileSave): Promise<boolean> {
    try {
      await this.places.killProcesses(place);
      await save.run(place);
      return true;
    } catch (error) {
      return save.failed(error) === 'never';
    }
  }

  /** Only cleans: what was saved may have been replaced by a newer profile since. */
  async #release(place: HostPlace, wait: number): Promise<void> {
    const released = this.places.release(place).catch((error: unknown) => {
      this.log.error('a place could not be cleaned', { directory: place.directory, error });
      this.#retryAfter(wait, place, (next) => this.#release(place, next));
    });
    let timer: Timer | undefined;
    const late = new Promise<void>((resolve) => {
      timer = this.clock.setTimeout(() => {
        this.#late.add(place);
        this.log.error('a place is still not clean', { directory: place.directory });
        resolve();
      }, RELEASE_TIMEOUT_MS);
    });
    const settled = released.then(() => {
      timer?.cancel();
      this.#late.delete(place);
    });
    await Promise.race([settled, late]);
  }

  #retryAfter(wait: number, place: HostPlace, again: (wait: number) => Promise<void>): void {
    if (this.#closed) {
      this.places.abandon(place);
      return;
    }
    const timer = this.clock.setTimeout(() => {
      this.#retries.delete(place);
      void this.#track(again(Math.min(wait * 2, LAST_RETRY_MS)));
    }, wait);
    this.#retries.set(place, timer);
  }

  #track(leaving: Promise<void>): Promise<void> {
    this.#running.add(leaving);
    return leaving.finally(() => this.#running.delete(leaving));
  }
}
