import type { HostPlace } from '../host-protocol.js';
import type { Clock, Timer } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import type { ProfileSave } from '../sessions/ports.js';
import type { Places } from './places.js';

/** From a save that failed to the next try; each further one waits twice as long, up to {@link LAST_RETRY_MS}. */
export const FIRST_RETRY_MS = 15_000;
const LAST_RETRY_MS = 15 * 60_000;

/**
 * Saves what a session leaves in its place and only then gives the place back. What cannot be saved stays where it is and is
 * tried again; when the service ends before, its successor takes it up.
 */
export class Leaving {
  readonly #retries = new Map<HostPlace, Timer>();
  readonly #running = new Set<Promise<void>>();
  #closed = false;

  constructor(
    private readonly places: Places,
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
    void this.#track(this.places.deserted(place).then(() => this.#leave(place, save, FIRST_RETRY_MS)));
  }

  /** Tries nothing again; resolves when all that is under way is done. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#retries.values()) timer.cancel();
    await Promise.all(this.#running);
    for (const place of this.#retries.keys()) this.places.abandon(place);
    this.#retries.clear();
  }

  async #leave(place: HostPlace, save: ProfileSave | null, wait: number): Promise<void> {
    try {
      if (!save || (await this.#saved(place, save))) await this.places.release(place);
      else if (this.#closed) this.places.abandon(place);
      else this.#retryAfter(wait, place, save);
    } catch (error) {
      this.log.error('a place could not be cleaned', { directory: place.directory, error });
    }
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

  #retryAfter(wait: number, place: HostPlace, save: ProfileSave): void {
    const timer = this.clock.setTimeout(() => {
      this.#retries.delete(place);
      void this.#track(this.#leave(place, save, Math.min(wait * 2, LAST_RETRY_MS)));
    }, wait);
    this.#retries.set(place, timer);
  }

  #track(leaving: Promise<void>): Promise<void> {
    this.#running.add(leaving);
    return leaving.finally(() => this.#running.delete(leaving));
  }
}
