import { chown, mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostPlace } from '../host-protocol.js';
import { acquireLock, awaitLock, type FileLock } from '../platform/files/file-lock.js';
import { removeTree } from '../platform/files/remove-tree.js';
import { ServiceError } from '../service-error.js';
import type { ProfileWorkingCopy } from '../sessions/profiles/profile-claims.js';
import { isUnfinishedNote, readNote, removeNote, writeNote } from './place-notes.js';
import { goneIn, killProcessesOf, processesNaming, processesOf } from './processes.js';
import { prepareRuntimeDirectory, shareExtensions } from './runtime-directory.js';

/** Maximum number of places. A place is the directory and, as root, the user id of one session host. */
export const PLACES = 999;
/**
 * Offset of the egress process's user id from the first user id. The egress process connects browsers to the
 * network. Its id is the last of the 1000 user ids. The other ids belong to places.
 */
export const EGRESS_UID_OFFSET = PLACES;

/**
 * Directory of locks for user ids. Services that run as root on the same machine can use the same user ids
 * for their places. So all of them use the locks in this directory.
 */
export const UID_LOCKS = '/run/cloud-browser/user-ids';

interface Held {
  place: HostPlace;
  slot: number;
  lock: FileLock;
}

/** Place of a killed service. It contains a profile that is not saved yet. */
export interface UnsavedPlace {
  place: HostPlace;
  workingCopy: ProfileWorkingCopy;
}

/**
 * Time in milliseconds in which sessions write their profiles and end by themselves after their service was
 * killed.
 */
const DESERTED_TIMEOUT_MS = 6_000;

/**
 * Places of session hosts: one directory each and, as root, one user id each. Places are numbered from 0
 * (`slot`). The process that holds the lock of a place owns its directory and its user id on this machine. So
 * several services can use the same range of directories and user ids.
 */
export class Places {
  readonly #held = new Map<string, Held>();
  readonly #unsaved: UnsavedPlace[] = [];
  readonly #unclean: HostPlace[] = [];
  /** The current search. Only one search runs at a time, so that two searches do not test the same place. */
  #search: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly root: string,
    private readonly extensions: string,
    private readonly uidBase: number | undefined,
    private readonly keeper: string,
  ) {}

  /**
   * Prepares the root directory. Removes the places of killed services from it, except places with profiles
   * to save.
   *
   * @param uidBase first user id of places. Undefined if this process is not root
   * @param keeper state directory of this service, where it stores profiles. The notes of places contain this
   *   path, so that each service recognizes its own profiles
   */
  static async open(root: string, uidBase: number | undefined, keeper: string): Promise<Places> {
    await prepareRuntimeDirectory(root, uidBase !== undefined);
    const places = new Places(root, await shareExtensions(root), uidBase, keeper);
    await places.#sweep();
    return places;
  }

  /**
   * Returns the places of killed services with profiles to save. This service holds their locks. Each place
   * is returned once.
   */
  unsaved(): readonly UnsavedPlace[] {
    return this.#unsaved.splice(0);
  }

  /**
   * Returns the places of killed services that could not be cleaned. This service holds their locks, and the
   * caller must release the places. Each place is returned once.
   */
  unclean(): readonly HostPlace[] {
    return this.#unclean.splice(0);
  }

  /**
   * Marks the profile in a place as data to save. If this service is killed, its next process saves the data.
   * Rejects with a `ServiceError` if the place was released, because another session may use its directory.
   */
  async keep(place: HostPlace, workingCopy: ProfileWorkingCopy): Promise<void> {
    if (this.#held.get(place.directory)?.place !== place)
      throw new ServiceError('err_session_failed', 'its host has ended.');
    await writeNote(place.directory, { ...workingCopy, keeper: this.keeper });
  }

  /** Unlocks a place and keeps its files for the next start of a service. */
  abandon(place: HostPlace): void {
    const held = this.#held.get(place.directory);
    if (held) this.#forget(place.directory, held);
  }

  /** Resolves when the processes that a killed service left in a place have ended, or after six seconds. */
  async processesEnded(place: HostPlace): Promise<void> {
    const { uid, directory } = place;
    await goneIn(DESERTED_TIMEOUT_MS, () =>
      uid === undefined ? processesNaming(directory) : processesOf(uid),
    );
  }

  /** Returns an empty place that no other process uses, or undefined if all places are in use. */
  take(): Promise<HostPlace | undefined> {
    const found = this.#search.then(() => this.#take());
    this.#search = found.catch(() => undefined);
    return found;
  }

  /**
   * Kills all processes in a place and keeps its files. The host process has already ended. Without root,
   * places have no user ids that identify their processes, so this method kills none.
   */
  async killProcesses(place: HostPlace): Promise<void> {
    if (place.uid !== undefined && !(await killProcessesOf(place.uid)))
      throw new Error(`Processes in ${place.directory} cannot be killed.`);
  }

  /**
   * Kills all processes in a place, removes its files, and unlocks it. Rejects if the place cannot be
   * cleaned. The place then stays locked, so that the caller can try again.
   */
  async release(place: HostPlace): Promise<void> {
    const held = this.#held.get(place.directory);
    if (!held) return;
    await this.#clean(held.slot);
    this.#forget(place.directory, held);
  }

  /**
   * Releases the lock of a place. Does nothing if the lock was already released, because a place may be
   * abandoned while it is being cleaned.
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
        // Skips the place if processes run with its user id although this service holds the lock. They belong
        // to another program and must not be killed.
        const foreign = uid !== undefined && processesOf(uid).length > 0;
        if (foreign) continue;
        made = await makeDirectory(directory, uid);
        if (!made) continue;
        kept = true;
        return this.#hold(slot, lock);
      } finally {
        // Also cleans up after an error, for example if the machine has no file descriptors or no disk space
        // left. A remaining directory would make the place unusable.
        try {
          if (made && !kept) await removeTree(directory);
        } finally {
          if (!kept) lock.release();
        }
      }
    }
    return undefined;
  }

  #hold(slot: number, lock: FileLock): HostPlace {
    const place = this.#placeOf(slot);
    this.#held.set(place.directory, { place, slot, lock });
    return place;
  }

  #placeOf(slot: number): HostPlace {
    const uid = this.#uidOf(slot);
    const place = { directory: this.#directoryOf(slot), extensions: this.extensions };
    return uid === undefined ? place : { ...place, uid, gid: uid };
  }

  /**
   * Cleans the places that have a directory but whose lock no process holds. Locks the places with profiles
   * that this service must save, and keeps their files.
   */
  async #sweep(): Promise<void> {
    const names = await readdir(this.root);
    for (const name of names.filter(isUnfinishedNote)) {
      // If no process holds the lock, the service that wrote this note was killed.
      const lock = await this.#lock(Number.parseInt(name, 10));
      if (!lock) continue;
      await rm(join(this.root, name), { force: true });
      lock.release();
    }
    for (const name of names) {
      if (!/^\d{1,4}$/.test(name)) continue;
      const slot = Number(name);
      const directory = this.#directoryOf(slot);
      // Waits for a place with a profile of this service. Its last holder was killed, because only one
      // service at a time can use the state directory.
      const own = (await readNote(directory))?.keeper === this.keeper;
      const lock = await this.#lock(slot, own ? awaitLock : acquireLock);
      if (!lock) continue;
      // Reads the note again, because another service may have changed the place before it was locked.
      const note = await readNote(directory);
      if (note?.keeper === this.keeper) {
        const { profile, owner, claimed } = note;
        this.#unsaved.push({ place: this.#hold(slot, lock), workingCopy: { profile, owner, claimed } });
        continue;
      }
      // Keeps a place with the note of another service, because that service saves its own profiles.
      if (note || (await this.#isCleaned(slot))) lock.release();
      else this.#unclean.push(this.#hold(slot, lock));
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
    // Removes the note first. Otherwise, after a kill, the next start could save a profile that is partly
    // removed.
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

  /**
   * Locks a place. Resolves to undefined if another process holds the lock. Without root, the locks are in
   * the root directory of the places.
   */
  #lock(slot: number, lock = acquireLock): Promise<FileLock | undefined> {
    const uid = this.#uidOf(slot);
    return uid === undefined ? lock(join(this.root, 'locks'), String(slot)) : lock(UID_LOCKS, String(uid));
  }
}

/**
 * Creates a directory. Returns false if a file or directory with this name already exists. The caller must
 * not remove an existing one.
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
