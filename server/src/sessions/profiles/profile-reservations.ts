import { ServiceError } from '../../service-error.js';
import type { ProfileSave, ProfileStore, ProfileTransfer } from '../ports.js';
import {
  NO_OTHER_CLAIMS,
  type ClaimHolder,
  type ProfileWorkingCopy,
  type ProfileClaims,
  type ProfileOwner,
} from './profile-claims.js';
import { ProfileGoneError, ProfileTooLargeError } from './profile-save.js';
import type { ProfileUse } from '../../create-fields/values/profile-request.js';

/**
 * Result of an attempt to save a profile.
 * - `failed`: the save will be tried again.
 * - `given_up`: a retry would not help, and the data is lost.
 * - `gone`: an operator has already discarded the data. The customer's endpoint was informed at that time.
 */
export type SaveResult = 'saved' | 'failed' | 'given_up' | 'gone';

/** Observer of every attempt to save a profile. */
export interface SaveObserver {
  /**
   * Called after each attempt. Resolves when the resulting events are stored. `workingCopy.owner` is null if
   * an older version of the service left the profile.
   */
  onSave(result: SaveResult, workingCopy: ProfileWorkingCopy, error: unknown): Promise<void>;
}

/** Maximum number of sessions with a failed save that are remembered for later queries. */
const MAX_FAILURES = 1_000;

/** Lets one session at a time write a profile. The profile is reserved until the session's data is saved. */
export class ProfileReservations {
  /**
   * Session that writes each profile, by the id of the profile. Undefined means a session of a killed
   * service.
   */
  readonly #writers = new Map<string, string | undefined>();
  /** Ids of profiles whose last save failed. The save will be tried again. */
  readonly #unsaved = new Set<string>();
  /** Sessions whose profiles were not saved. */
  readonly #failures = new Set<string>();

  constructor(
    private readonly store: ProfileStore,
    private readonly observer: SaveObserver,
    private readonly claims: ProfileClaims = NO_OTHER_CLAIMS,
  ) {}

  /**
   * Reserves the profiles of a session, until {@link release}. Rejects with {@link ServiceError}
   * `err_profile_in_use`.
   */
  async reserve(owner: ProfileOwner, { load, save }: ProfileUse): Promise<ProfileTransfer> {
    const { sessionId } = owner;
    for (const id of [load, save]) {
      if (id !== null && this.#isTaken(id, id === save)) throw new ServiceError('err_profile_in_use', id);
    }
    // Reserves the profile before the first await, so that only one of two sessions on this node gets it.
    if (save !== null) this.#writers.set(save, sessionId);
    try {
      if (load !== null && load !== save) requireFree(load, await this.claims.holderOf(load));
      if (save !== null) requireFree(save, await this.claims.claim(save, owner));
    } catch (error) {
      if (save !== null) this.#writers.delete(save);
      throw error;
    }
    const workingCopy = save === null ? null : { profile: save, owner, claimed: this.claims.shared };
    return {
      load: load === null ? null : (place) => this.store.load(load, place),
      save: workingCopy && this.#saveOf(workingCopy, sessionId),
    };
  }

  /**
   * Reserves a profile that a session of a killed service was writing. The reservation lasts until the data
   * of the session is saved.
   */
  recover(workingCopy: ProfileWorkingCopy): ProfileSave {
    this.#writers.set(workingCopy.profile, undefined);
    this.claims.keep(workingCopy);
    return this.#saveOf(workingCopy, undefined);
  }

  /**
   * Releases the profile of an ended session. A profile that could not be saved stays reserved until it is
   * saved.
   */
  release(sessionId: string, { save }: ProfileUse): void {
    if (save === null || this.#unsaved.has(save) || !this.#forget(save, sessionId)) return;
    this.claims.release(save, sessionId);
  }

  /** True if the save of a profile has failed and will be tried again. */
  get hasUnsaved(): boolean {
    return this.#unsaved.size > 0;
  }

  /** True if the profile of an ended session could not be saved. */
  hasFailed(sessionId: string): boolean {
    return this.#failures.has(sessionId);
  }

  /**
   * True if a session must not use the profile now. While a session writes a profile, no other session may
   * write it. Another session may load it, except in two cases. In the first case, the profile does not exist
   * yet, because the writing session creates it. In the second case, the newest data comes from a killed
   * service or a failed save, and must be saved first.
   */
  #isTaken(id: string, toWrite: boolean): boolean {
    if (!this.#writers.has(id)) return false;
    const writer = this.#writers.get(id);
    return toWrite || writer === id || writer === undefined || this.#unsaved.has(id);
  }

  /** @param writer the writing session in this process; undefined for a session of a killed service */
  #saveOf(workingCopy: ProfileWorkingCopy, writer: string | undefined): ProfileSave {
    const { profile, owner, claimed } = workingCopy;
    return {
      workingCopy,
      run: async (place) => {
        const claim = await this.claims.confirm(
          workingCopy,
          writer === undefined || this.#unsaved.has(profile),
        );
        if (claim === 'gone') throw new ProfileGoneError(profile);
        if (claim === 'held') await this.store.save(profile, place, (claimed && owner?.sessionId) || null);
        this.#settle(workingCopy, writer, this.observer.onSave('saved', workingCopy, undefined));
        if (writer !== undefined) this.#failures.delete(writer);
      },
      failed: (error) => {
        const result = resultOf(error);
        const told = this.observer.onSave(result, workingCopy, error);
        if (result === 'failed') this.#unsaved.add(profile);
        else this.#settle(workingCopy, writer, told);
        if (writer !== undefined) this.#remember(writer);
        return result === 'failed' ? 'later' : 'never';
      },
    };
  }

  /**
   * @param told resolves when the events are stored. The claim is released only after that. If the service is
   *   killed before that, the next process finds the claim and reports the loss
   */
  #settle({ profile, owner }: ProfileWorkingCopy, writer: string | undefined, told: Promise<void>): void {
    this.#unsaved.delete(profile);
    if (!this.#forget(profile, writer)) return;
    void told.then(() => this.claims.release(profile, owner?.sessionId ?? null));
  }

  /** Returns false if the profile has no writer or another writer. */
  #forget(id: string, writer: string | undefined): boolean {
    if (!this.#writers.has(id) || this.#writers.get(id) !== writer) return false;
    return this.#writers.delete(id);
  }

  #remember(sessionId: string): void {
    this.#failures.add(sessionId);
    const [oldest] = this.#failures;
    if (oldest !== undefined && this.#failures.size > MAX_FAILURES) this.#failures.delete(oldest);
  }
}

function resultOf(error: unknown): Exclude<SaveResult, 'saved'> {
  if (error instanceof ProfileTooLargeError) return 'given_up';
  return error instanceof ProfileGoneError ? 'gone' : 'failed';
}

function requireFree(id: string, holder: ClaimHolder): void {
  if (holder === 'left') throw new ServiceError('err_profile_in_use', id, 'left');
  if (holder === 'session') throw new ServiceError('err_profile_in_use', id);
}
