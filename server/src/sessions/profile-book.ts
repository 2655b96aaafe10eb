import { ServiceError } from '../service-error.js';
import type { ProfileClaims, ProfileSave, ProfileStore, ProfileTransfer } from './ports.js';
import { ProfileTooLargeError } from './profile-save.js';
import type { ProfileUse } from './settings/profile-request.js';
import { CodedError } from '../platform/coded-error.js';

/** What became of an attempt to save a profile. `failed`: it will be tried again; `given_up`: that would not help. */
export type SaveResult = 'saved' | 'failed' | 'given_up';

/** Told of every attempt to save a profile. */
export interface SaveObserver {
  /** @param sessionId undefined: the session was one of a killed service */
  onSave(result: SaveResult, profileId: string, sessionId: string | undefined, error: unknown): void;
}

/** There are no other machines. */
export const NO_OTHER_CLAIMS: ProfileClaims = {
  claim: () => Promise.resolve(true),
  isUnsaved: () => Promise.resolve(false),
  release: () => undefined,
};

/** While this machine was away another one began to write the profile: what was left here is older by now. */
class ProfileTakenError extends CodedError {
  readonly code = 'err_profile_taken';
}

/** Failures that are remembered for those who ask later. */
const MAX_FAILURES = 1_000;

/** Who writes which profile: one session at a time, until what it left is saved. */
export class ProfileBook {
  /** By profile. No session: it is one of a killed service. */
  readonly #writers = new Map<string, string | undefined>();
  /** Profiles whose last save failed and is tried again, by their ids. */
  readonly #unsaved = new Set<string>();
  /** Sessions whose profiles were not saved. */
  readonly #failures = new Set<string>();

  constructor(
    private readonly store: ProfileStore,
    private readonly observer: SaveObserver,
    private readonly claims: ProfileClaims = NO_OTHER_CLAIMS,
  ) {}

  /** Reserves what a session is to write, until {@link release}. Rejects with {@link ServiceError} `err_profile_in_use`. */
  async reserve(sessionId: string, { load, save }: ProfileUse): Promise<ProfileTransfer> {
    for (const id of [load, save]) {
      if (id !== null && this.#isTaken(id, id === save)) throw new ServiceError('err_profile_in_use', id);
    }
    // At once, so that of two sessions here one has it.
    if (save !== null) this.#writers.set(save, sessionId);
    try {
      const taken =
        load !== null && load !== save && (await this.claims.isUnsaved(load))
          ? load
          : save !== null && !(await this.claims.claim(save, sessionId))
            ? save
            : undefined;
      if (taken !== undefined) throw new ServiceError('err_profile_in_use', taken);
    } catch (error) {
      if (save !== null) this.#writers.delete(save);
      throw error;
    }
    return {
      load: load === null ? null : (place) => this.store.load(load, place),
      save: save === null ? null : this.#saveOf(save, sessionId),
    };
  }

  /** Reserves a profile that a session of a killed service was writing, until it is saved. */
  takeUp(profileId: string): ProfileSave {
    this.#writers.set(profileId, undefined);
    return this.#saveOf(profileId, undefined);
  }

  /** The session is over. A profile that could not be saved stays reserved until it is. */
  release(sessionId: string, { save }: ProfileUse): void {
    if (save !== null && !this.#unsaved.has(save)) this.#giveBack(save, sessionId);
  }

  /** Whether some profile could not be saved and is tried again. */
  get hasUnsaved(): boolean {
    return this.#unsaved.size > 0;
  }

  /** Whether the profile of an ended session is not saved. */
  hasFailed(sessionId: string): boolean {
    return this.#failures.has(sessionId);
  }

  /** A profile that is written for the first time does not exist yet, and what a killed service left is newer than what is kept. */
  #isTaken(id: string, toWrite: boolean): boolean {
    if (!this.#writers.has(id)) return false;
    const writer = this.#writers.get(id);
    return toWrite || writer === id || writer === undefined || this.#unsaved.has(id);
  }

  #saveOf(id: string, sessionId: string | undefined): ProfileSave {
    return {
      id,
      run: async (place) => {
        if (!(await this.claims.claim(id, sessionId ?? null)))
          throw new ProfileTakenError(`Another machine has begun to write the profile ${id}.`);
        await this.store.save(id, place);
        this.#settle(id, sessionId);
        if (sessionId !== undefined) this.#failures.delete(sessionId);
        this.observer.onSave('saved', id, sessionId, undefined);
      },
      failed: (error) => {
        const hopeless = error instanceof ProfileTooLargeError || error instanceof ProfileTakenError;
        if (hopeless) this.#settle(id, sessionId);
        else this.#unsaved.add(id);
        if (sessionId !== undefined) this.#remember(sessionId);
        this.observer.onSave(hopeless ? 'given_up' : 'failed', id, sessionId, error);
        return hopeless ? 'never' : 'later';
      },
    };
  }

  #settle(id: string, sessionId: string | undefined): void {
    this.#unsaved.delete(id);
    this.#giveBack(id, sessionId);
  }

  #giveBack(id: string, sessionId: string | undefined): void {
    if (!this.#writers.has(id) || this.#writers.get(id) !== sessionId) return;
    this.#writers.delete(id);
    this.claims.release(id, sessionId ?? null);
  }

  #remember(sessionId: string): void {
    this.#failures.add(sessionId);
    const [oldest] = this.#failures;
    if (oldest !== undefined && this.#failures.size > MAX_FAILURES) this.#failures.delete(oldest);
  }
}
