import { ServiceError } from '../service-error.js';
import type { ProfileStore, ProfileTransfer } from './ports.js';
import type { ProfileUse } from './settings/profile-request.js';

/** Who writes which profile: one session at a time. */
export class ProfileBook {
  readonly #writers = new Map<string, string>();

  constructor(private readonly store: ProfileStore) {}

  /** Reserves what a session is to write, until {@link release}. Throws {@link ServiceError} `err_profile_in_use`. */
  reserve(sessionId: string, { load, save }: ProfileUse): ProfileTransfer {
    // A profile that is being written for the first time does not exist yet: it is in use, not missing.
    for (const id of [load, save]) {
      const writer = id === null ? undefined : this.#writers.get(id);
      if (id !== null && writer !== undefined && (id === save || id === writer)) {
        throw new ServiceError('err_profile_in_use', id);
      }
    }
    if (save !== null) this.#writers.set(save, sessionId);
    return {
      load: load === null ? null : (place) => this.store.load(load, place),
      save: save === null ? null : (place) => this.store.save(save, place),
    };
  }

  release(sessionId: string, { save }: ProfileUse): void {
    if (save !== null && this.#writers.get(save) === sessionId) this.#writers.delete(save);
  }
}
