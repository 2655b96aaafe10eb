import { chown, mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostPlace } from '../host-protocol.js';
import { acquireLock, type FileLock } from '../platform/files/file-lock.js';
import { removeTree } from '../platform/files/remove-tree.js';
import type { ProfileWorkingCopy } from '../sessions/profiles/profile-claims.js';
import { isUnfinishedNote, readNote, removeNote, writeNote } from './place-notes.js';
import { goneIn, killProcessesOf, processesNaming, processesOf } from './processes.js';
import { prepareRuntimeDirectory, shareExtensions } from './runtime-directory.js';

/** Limit of sessions that have a place at the same time, including warm hosts. */
export const PLACES = 999;
/**
 * Offset of the egress process's user id. It is the last of the 1000 user ids, after the ids of the places.
 */
export const EGRESS_UID_OFFSET = PLACES;

/**
 * Directory of locks for user ids. User ids are shared by the whole machine. Only root can use them, and all
 * services of root share this directory.
 */
export const UID_LOCKS = '/run/cloud-browser/user-ids';

interface Held {
  slot: number;
  lock: FileLock;
}

/** A place of a killed service with files to save. */
export interface UnsavedPlace {
  place: HostPlace;
  workingCopy: ProfileWorkingCopy;
}

/**
 * Time for sessions to end by themselves after their service was killed. In this time they write their
 * profiles.
 */
const DESERTED_TIMEOUT_MS = 6_000;

/**
 * Places of session hosts: one directory each and, as root, one user id each. A place has a number. The
 * process with the lock of a place owns its directory and its user id on this machine. So several services
 * can share the ranges of directories and user ids.
 */
export class Places {
  readonly #held = new Map<string, Held>();
  readonly #unsaved: UnsavedPlace[] = [];
  readonly #unclean: HostPlace[] = [];
  /** The current search. Only one search runs at a time, so that two searches do not test the same slots. */
  #search: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly root: string,
    private readonly extensions: string,
    private readonly uidBase: number | undefined,
    private readonly keeper: string,
  ) {}

  /**
   * Prepares the root directory, and removes the places of killed services in it, except those with data to
   * save.
   *
   * @param uidBase first user id of places; only if this process is root
   * @param keeper the state directory, where profiles of this service are kept
   */
  static async open(root: string, uidBase: number | undefined, keeper: string): Promise<Places> {
    await prepareRuntimeDirectory(root, uidBase !== undefined);
    const places = new Places(root, await shareExtensions(root), uidBase, keeper);
    await places.#sweep();
    return places;
  }

  /**
   * Returns the places of killed services with files to save. They are locked by this service. Each is
   * returned once.
   */
  unsaved(): readonly UnsavedPlace[] {
    return this.#unsaved.splice(0);
  }

  /**
   * Returns the places of killed services that could not be cleaned. They are locked by this service, and the
   * caller releases them. Each is returned once.
   */
  unclean(): readonly HostPlace[] {
    return this.#unclean.splice(0);
  }

  /** Marks the files in a place as data to save. If this service is killed, the next start saves them. */
  async keep(place: HostPlace, workingCopy: ProfileWorkingCopy): Promise<void> {
    await writeNote(place.directory, { ...workingCopy, keeper: this.keeper });
  }

  /** Unlocks a place and keeps its files for the next start of a service. */
  abandon(place: HostPlace): void {
    const held = this.#held.get(place.directory);
    if (held) this.#forget(place.directory, held);
  }

  /** Resolves when the processes of a killed service's session have ended, or at the timeout. */
  async processesEnded(place: HostPlace): Promise<void> {
    const { uid, directory } = place;
    await goneIn(DESERTED_TIMEOUT_MS, () =>
      uid === undefined ? processesNaming(directory) : processesOf(uid),
    );
  }

  /** Returns a clean place that nothing else uses, or undefined if there is none. */
  take(): Promise<HostPlace | undefined> {
    const found = this.#search.then(() => this.#take());
    this.#search = found.catch(() => undefined);
    return found;
  }

  /**
   * Kills all processes in a place and keeps its files. The host itself is already gone. Without root it is
   * unknown which processes use the place, so no process is killed.
   */
  async killProcesses(place: HostPlace): Promise<void> {
    if (place.uid !== undefined && !(await killProcessesOf(place.uid)))
      throw new Error(`Processes in ${place.directory} cannot be killed.`);
  }

  /**
   * Kills all processes in a place and removes it. Rejects if it cannot be cleaned. Then it stays locked, for
   * another attempt.
   */
  async release(place: HostPlace): Promise<void> {
    const held = this.#held.get(place.directory);
    if (!held) return;
    await this.#clean(held.slot);
    this.#forget(place.directory, held);
  }

  /**
   * Releases the lock of a place. Does so only once, because a place may be abandoned while it is being
   * cleaned.
   */
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
        // Only the process with the lock owns the user id. Without the lock, processes with this id belong to
        // another service and must not be killed.
        const foreign = uid !== undefined && processesOf(uid).length > 0;
        if (foreign) continue;
        made = await makeDirectory(directory, uid);
        if (!made) continue;
        this.#held.set(directory, { slot, lock });
        kept = true;
        return this.#placeOf(slot);
      } finally {
        // Cleans up also if the machine has no descriptors or no disk space. A remaining directory would make
        // the place unusable.
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

  /** Cleans the places that have a directory but no owner. Keeps the locks of places with files to save. */
  async #sweep(): Promise<void> {
    const names = await readdir(this.root);
    for (const name of names.filter(isUnfinishedNote)) {
      // The service that wrote it was killed.
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
        const { profile, owner, claimed } = note;
        this.#unsaved.push({ place: this.#placeOf(slot), workingCopy: { profile, owner, claimed } });
        continue;
      }
      // Leaves notes of another service alone, because that service saves its own profiles.
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
    // Removes the note first, so that the next start does not save files that are being removed.
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

  /** Locks a place. Without root, this user owns the directory and all places in it. */
  #lock(slot: number): Promise<FileLock | undefined> {
    const uid = this.#uidOf(slot);
    return uid === undefined
      ? acquireLock(join(this.root, 'locks'), String(slot))
      : acquireLock(UID_LOCKS, String(uid));
  }
}

/**
 * Creates a directory. Returns false if a file or directory with this name exists that this service must not
 * remove.
 */
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
