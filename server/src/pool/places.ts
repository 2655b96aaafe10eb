import { chown, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostPlace } from '../host-protocol.js';
import { acquireLock } from '../platform/machine-lock.js';
import { killProcessesOf, processesOf } from './processes.js';
import { prepareRuntimeDirectory } from './runtime-directory.js';
import { shareExtensions } from './shared-extensions.js';

/** How many sessions, spare hosts included, can have a place at once; also the size of the range of user ids. */
export const PLACES = 1_000;

/** X displays of sessions have numbers from here on: far from those that people start by hand. */
const DISPLAY_BASE = 2_000;
/** Services with different user ids look for displays in different ranges, of which X has room for so many. */
const DISPLAY_RANGES = 50;

interface Held {
  slot: number;
  locks: PlaceLocks;
}

interface PlaceLocks {
  release(): Promise<void>;
}

/**
 * Where session hosts live: one directory each and, as root, one user id each. A place is numbered; whoever holds its lock
 * owns its directory and its user id on this machine, so several services can share both ranges.
 */
export class Places {
  readonly #held = new Map<string, Held>();
  /** One search at a time, so that two do not test the same slots. */
  #search: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly root: string,
    private readonly extensions: string,
    private readonly uidBase: number | undefined,
  ) {}

  /** Prepares the root directory and removes what killed services left in it. `uidBase`: only as root. */
  static async open(root: string, uidBase: number | undefined): Promise<Places> {
    await prepareRuntimeDirectory(root, uidBase !== undefined);
    const places = new Places(root, await shareExtensions(root), uidBase);
    await places.#sweep();
    return places;
  }

  /** A clean place that nothing else uses, or undefined when there is none. */
  take(): Promise<HostPlace | undefined> {
    const found = this.#search.then(() => this.#take());
    this.#search = found.catch(() => undefined);
    return found;
  }

  /** Kills what still runs in a place and removes it. A place that cannot be cleaned is never used again. */
  async release(place: HostPlace): Promise<void> {
    const held = this.#held.get(place.directory);
    if (!held) return;
    if (!(await this.#clean(held.slot))) return;
    this.#held.delete(place.directory);
    await held.locks.release();
  }

  async #take(): Promise<HostPlace | undefined> {
    for (let slot = 0; slot < PLACES; slot++) {
      const directory = this.#directoryOf(slot);
      if (this.#held.has(directory)) continue;
      const locks = await this.#lock(slot);
      if (!locks) continue;
      const uid = this.#uidOf(slot);
      // Whatever runs as this id without the lock is not ours, hence not ours to kill.
      const foreign = uid !== undefined && (await processesOf(uid)).length > 0;
      if (foreign || !(await makeDirectory(directory, uid))) {
        await locks.release();
        continue;
      }
      this.#held.set(directory, { slot, locks });
      const place = { directory, display: this.#displayOf(slot), extensions: this.extensions };
      return uid === undefined ? place : { ...place, uid, gid: uid };
    }
    return undefined;
  }

  /** Cleans the places that have a directory but no owner any more. */
  async #sweep(): Promise<void> {
    for (const name of await readdir(this.root)) {
      if (!/^\d{1,4}$/.test(name)) continue;
      const slot = Number(name);
      const locks = await this.#lock(slot);
      if (!locks) continue;
      await this.#clean(slot);
      await locks.release();
    }
  }

  async #clean(slot: number): Promise<boolean> {
    const uid = this.#uidOf(slot);
    if (uid !== undefined && !(await killProcessesOf(uid))) return false;
    await rm(this.#directoryOf(slot), { recursive: true, force: true });
    // A killed X server leaves these, and the next one may run as somebody who cannot remove them.
    const display = this.#displayOf(slot);
    for (const left of [`/tmp/.X11-unix/X${display}`, `/tmp/.X${display}-lock`])
      await rm(left, { force: true });
    return true;
  }

  #directoryOf(slot: number): string {
    return join(this.root, String(slot));
  }

  #uidOf(slot: number): number | undefined {
    return this.uidBase === undefined ? undefined : this.uidBase + slot;
  }

  #displayOf(slot: number): number {
    const range = Math.floor((this.uidBase ?? process.getuid?.() ?? 0) / PLACES) % DISPLAY_RANGES;
    return DISPLAY_BASE + range * PLACES + slot;
  }

  /** The display has a lock of its own: services with other user ids, or of other users, may come to the same number. */
  async #lock(slot: number): Promise<PlaceLocks | undefined> {
    const uid = this.#uidOf(slot);
    const own = await acquireLock(uid === undefined ? `place/${process.getuid?.()}/${slot}` : `uid/${uid}`);
    if (!own) return undefined;
    const display = await acquireLock(`display/${this.#displayOf(slot)}`).catch(() => undefined);
    if (!display) {
      await own.release();
      return undefined;
    }
    const release = async () => {
      await Promise.all([own.release(), display.release()]);
    };
    return { release };
  }
}

/** False when the name is taken by something that is not ours to remove. */
async function makeDirectory(path: string, uid: number | undefined): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  if (uid !== undefined) await chown(path, uid, uid);
  return true;
}
