import type { HostPlace } from '../host-protocol.js';
import type { Clock, Timer } from '../platform/time/clock.js';
import type { Log } from '../platform/log.js';
import { withTimeout } from '../platform/time/timeout.js';
import type { ProfileSave } from '../sessions/ports.js';
import type { Places } from './places.js';

/**
 * Pause between a failed attempt and the next one. Each further pause is twice as long, up to
 * {@link LAST_RETRY_MS}.
 */
export const FIRST_RETRY_MS = 15_000;
const LAST_RETRY_MS = 15 * 60_000;
/**
 * Longest time for which the cleanup waits until the files of a place are removed. A disk that hangs may need
 * more time.
 */
export const RELEASE_TIMEOUT_MS = 30_000;

/**
 * Saves the profile data in a session's place (its directory and user id), and then releases the place. If a
 * save fails, the data stays in the place, and the save is tried again. If the service ends before the next
 * attempt, its next process handles the place.
 */
export class PlaceCleanup {
  /** Waiting retries. `due` is the time of the retry on the clock. */
  readonly #retries = new Map<HostPlace, { timer: Timer; due: number; run: () => void }>();
  /** Places whose cleaning takes longer than {@link RELEASE_TIMEOUT_MS}. */
  readonly #late = new Set<HostPlace>();
  readonly #running = new Set<Promise<void>>();
  #closed = false;

  constructor(
    private readonly places: Pick<Places, 'abandon' | 'processesEnded' | 'killProcesses' | 'release'>,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Resolves when the place is free again. Also resolves when a step has failed and must be tried again
   * later, or when the removal of the files takes too long.
   */
  saveAndRelease(place: HostPlace, save: ProfileSave | null): Promise<void> {
    return this.#track(this.#saveAndRelease(place, save, FIRST_RETRY_MS));
  }

  /**
   * Saves profile data that a killed service left in a place. The hosts of that service may still be ending.
   */
  recover(place: HostPlace, save: ProfileSave): void {
    this.log.info('saving the profile of a killed service', { profile: save.workingCopy.profile });
    void this.#track(this.#recover(place, save, FIRST_RETRY_MS));
  }

  /**
   * Makes every waiting retry start after {@link FIRST_RETRY_MS} at the latest, because the cause of the
   * failures may have ended. The retries do not start at once, because a failed save may itself have caused a
   * database failure.
   */
  retrySoon(): void {
    const soon = this.clock.now() + FIRST_RETRY_MS;
    for (const [place, { timer, due, run }] of this.#retries) {
      if (due <= soon) continue;
      timer.cancel();
      this.#retries.set(place, { timer: this.clock.setTimeout(run, FIRST_RETRY_MS), due: soon, run });
    }
  }

  /** Stops retries. Resolves when all running work is done. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { timer } of this.#retries.values()) timer.cancel();
    await Promise.all(this.#running);
    for (const place of [...this.#retries.keys(), ...this.#late]) this.places.abandon(place);
    this.#retries.clear();
    this.#late.clear();
  }

  async #recover(place: HostPlace, save: ProfileSave, wait: number): Promise<void> {
    try {
      await this.places.processesEnded(place);
    } catch (error) {
      // The processes could not be checked. One of them may still write to the profile, so it is not saved
      // yet.
      save.failed(error);
      this.#retryAfter(wait, place, (next) => this.#recover(place, save, next));
      return;
    }
    await this.#saveAndRelease(place, save, wait);
  }

  async #saveAndRelease(place: HostPlace, save: ProfileSave | null, wait: number): Promise<void> {
    if (!save || (await this.#trySave(place, save))) await this.#release(place, FIRST_RETRY_MS);
    else this.#retryAfter(wait, place, (next) => this.#saveAndRelease(place, save, next));
  }

  /**
   * Saves the data. Returns false if the save must be tried again. First kills the processes in the place,
   * because a browser may run for a moment after its host was killed, and must not write during the save.
   */
  async #trySave(place: HostPlace, save: ProfileSave): Promise<boolean> {
    try {
      await this.places.killProcesses(place);
      await save.run(place);
      return true;
    } catch (error) {
      return save.failed(error) === 'never';
    }
  }

  /** Cleans the place. Retries do not save again, because a newer profile may have replaced the saved one. */
  async #release(place: HostPlace, wait: number): Promise<void> {
    const released = this.places.release(place).catch((error: unknown) => {
      this.log.error('a place could not be cleaned', { directory: place.directory, error });
      this.#retryAfter(wait, place, (next) => this.#release(place, next));
    });
    const settled = released.then(() => void this.#late.delete(place));
    const late = () => {
      this.#late.add(place);
      this.log.error('a place is still not clean', { directory: place.directory });
    };
    await withTimeout(settled, RELEASE_TIMEOUT_MS, late, this.clock);
  }

  #retryAfter(wait: number, place: HostPlace, again: (wait: number) => Promise<void>): void {
    if (this.#closed) {
      this.places.abandon(place);
      return;
    }
    const run = () => {
      this.#retries.delete(place);
      void this.#track(again(Math.min(wait * 2, LAST_RETRY_MS)));
    };
    const due = this.clock.now() + wait;
    this.#retries.set(place, { timer: this.clock.setTimeout(run, wait), due, run });
  }

  #track(cleanup: Promise<void>): Promise<void> {
    this.#running.add(cleanup);
    return cleanup.finally(() => this.#running.delete(cleanup));
  }
}
