import { chown, mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostPlace } from '../host-protocol.js';
import { acquireLock, type FileLock } from '../platform/file-lock.js';
import { removeTree } from '../platform/remove-tree.js';
import { isUnfinishedNote, readNote, removeNote, writeNote } from './place-notes.js';
import { goneIn, killProcessesOf, processesNaming, processesOf } from './processes.js';
import { prepareRuntimeDirectory, shareExtensions } from './runtime-directory.js';

/** How many sessions, spare hosts included, can have a place at once. */
export const PLACES = 999;
/** Of the 1000 user ids, the one behind those of the places: the egress process has it, which is no session's. */
export const EGRESS_UID_OFFSET = PLACES;

/** User ids are the machine's: here only root can take one, and all services of root look here. */
export const UID_LOCKS = '/run/cloud-browser/user-ids';

interface Held {
  slot: number;
  lock: FileLock;
}

/** A place that a killed service left, whose files are to be saved. */
export interface LeftPlace {
  place: HostPlace;
  profile: string;
}

/** How long sessions have to end by themselves when their service was killed: they write their profiles then. */
const DESERTED_TIMEOUT_MS = 6_000;

/**
 * Where session hosts live: one directory each and, as root, one user id each. A place is numbered; whoever holds its lock
 * owns its directory and its user id on this machine, so several services can share both ranges.
 */
export class Places {
  readonly #held = new Map<string, Held>();
  readonly #left: LeftPlace[] = [];
  readonly #unclean: HostPlace[] = [];
  /** One search at a time, so that two do not test the same slots. */
  #search: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly root: string,
    private readonly extensions: string,
    private readonly uidBase: number | undefined,
    private readonly keeper: string,
  ) {}

  /**
   * Prepares the root directory and removes what killed services left in it, but for what is to be saved.
   *
   * @param uidBase only as root
   * @param keeper the state directory, where profiles of this service are kept
   */
  static async open(root: string, uidBase: number | undefined, keeper: string): Promise<Places> {
    await prepareRuntimeDirectory(root, uidBase !== undefined);
    const places = new Places(root, await shareExtensions(root), uidBase, keeper);
    await places.#sweep();
    return places;
  }

  /** The places of killed services whose files are to be saved; they are taken. Each is told once. */
  left(): readonly LeftPlace[] {
    return this.#left.splice(0);
  }

  /** Places of killed services that could not be cleaned; they are taken, to be released. Each is told once. */
  unclean(): readonly HostPlace[] {
    return this.#unclean.splice(0);
  }

  /** From now on the files in a place are to be saved, by this service or, when it is killed, by its successor. */
  async keep(place: HostPlace, profile: string): Promise<void> {
    await writeNote(place.directory, { profile, keeper: this.keeper });
  }

  /** Gives a place up and leaves its files to a successor. */
  abandon(place: HostPlace): void {
    const held = this.#held.get(place.directory);
    if (held) this.#forget(place.directory, held);
  }

  /** Resolves when the processes of a killed service's session have ended, or have had their time. */
  async deserted(place: HostPlace): Promise<void> {
    const { uid, directory } = place;
    await goneIn(DESERTED_TIMEOUT_MS, () =>
      uid === undefined ? processesNaming(directory) : processesOf(uid),
    );
  }

  /** A clean place that nothing else uses, or undefined when there is none. */
  take(): Promise<HostPlace | undefined> {
    const found = this.#search.then(() => this.#take());
    this.#search = found.catch(() => undefined);
    return found;
  }

  /**
   * Kills what still runs in a place and leaves its files; the host itself is gone. Without root we cannot tell which processes are
   * those of a place, so nothing is killed.
   */
  async killProcesses(place: HostPlace): Promise<void> {
    if (place.uid !== undefined && !(await killProcessesOf(place.uid)))
      throw new Error(`Processes in ${place.directory} cannot be killed.`);
  }

  /** Kills what still runs in a place and removes it. Rejects when it cannot be cleaned: then it stays taken, for another try. */
  async release(place: HostPlace): Promise<void> {
    const held = this.#held.get(place.directory);
    if (!held) return;
    await this.#clean(held.slot);
    this.#forget(place.directory, held);
  }

  /** A place may be abandoned while it is being cleaned; its lock is given up once. */
  #forget(directory: string, held: Held): void {
    if (this.#held.get(directory) !== held) return;
    this.#held.delete(directory);
    held.lock.release();
  }

  async #take(): Promise<HostPlace | undefined> {
    for (let slot = 0; slot < PLACES; slot++) {
      const directory = this.#directoryOf(slot);
      if (this.#held.has(directory)) continue;
      const lock = await this.#lock(slot);
      if (!lock) continue;
      let [made, kept] = [false, false];
      try {
        const uid = this.#uidOf(slot);
        // Whatever runs as this id without the lock is not ours, hence not ours to kill.
        const foreign = uid !== undefined && processesOf(uid).length > 0;
        if (foreign) continue;
        made = await makeDirectory(directory, uid);
        if (!made) continue;
        this.#held.set(directory, { slot, lock });
        kept = true;
        return this.#placeOf(slot);
      } finally {
        // Also when the machine has no descriptor or no room: what stayed would cost the place for ever.
        try {
          if (made && !kept) await removeTree(directory);
        } finally {
          if (!kept) lock.release();
        }
      }
    }
    return undefined;
  }

  #placeOf(slot: number): HostPlace {
    const uid = this.#uidOf(slot);
    const place = { directory: this.#directoryOf(slot), extensions: this.extensions };
    return uid === undefined ? place : { ...place, uid, gid: uid };
  }

  /** Cleans the places that have a directory but no owner any more, and takes those whose files are to be saved. */
  async #sweep(): Promise<void> {
    const names = await readdir(this.root);
    for (const name of names.filter(isUnfinishedNote)) {
      // Its service was killed.
      const lock = await this.#lock(Number.parseInt(name, 10));
      if (!lock) continue;
      await rm(join(this.root, name), { force: true });
      lock.release();
    }
    for (const name of names) {
      if (!/^\d{1,4}$/.test(name)) continue;
      const slot = Number(name);
      const lock = await this.#lock(slot);
      if (!lock) continue;
      const directory = this.#directoryOf(slot);
      const note = await readNote(directory);
      if (note?.keeper === this.keeper) {
        this.#held.set(directory, { slot, lock });
        this.#left.push({ place: this.#placeOf(slot), profile: note.profile });
        continue;
      }
      // Profiles of another service are that one's to save.
      if (note || (await this.#isCleaned(slot))) lock.release();
      else {
        this.#held.set(directory, { slot, lock });
        this.#unclean.push(this.#placeOf(slot));
      }
    }
  }

  async #isCleaned(slot: number): Promise<boolean> {
    return this.#clean(slot).then(
      () => true,
      () => false,
    );
  }

  async #clean(slot: number): Promise<void> {
    const directory = this.#directoryOf(slot);
    // First: files that are going must not be saved by a successor.
    await removeNote(directory);
    await this.killProcesses(this.#placeOf(slot));
    await removeTree(directory);
  }

  #directoryOf(slot: number): string {
    return join(this.root, String(slot));
  }

  #uidOf(slot: number): number | undefined {
    return this.uidBase === undefined ? undefined : this.uidBase + slot;
  }

  /** Without root the directory belongs to this user alone, and so do its places. */
  #lock(slot: number): Promise<FileLock | undefined> {
    const uid = this.#uidOf(slot);
    return uid === undefined
      ? acquireLock(join(this.root, 'locks'), String(slot))
      : acquireLock(UID_LOCKS, String(uid));
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
  try {
    if (uid !== undefined) await chown(path, uid, uid);
  } catch (error) {
    await rmdir(path).catch(() => undefined);
    throw error;
  }
  return true;
}
