import type { Log } from '../../platform/log.js';
import type { ProfileSave, ProfileStore, ProfileTransfer } from '../ports.js';
import { ProfileReservations, type SaveObserver, type SaveResult } from './profile-reservations.js';
import {
  NO_OTHER_CLAIMS,
  type ProfileWorkingCopy,
  type LostProfile,
  type ProfileClaims,
  type UnsavedProfile,
} from './profile-claims.js';
import type { Session } from '../session.js';
import type { SessionEvents } from '../records/session-events.js';
import type { SessionMetrics } from '../records/session-metrics.js';
import type { ProfileUse } from '../../create-fields/values/profile-request.js';
import type { SessionSecrets } from '../settings/session-settings.js';

/** Dependencies of {@link SessionProfiles}. */
export interface SessionProfilesParts {
  profiles: ProfileStore;
  /** Claims of all machines. Absent if there is only one machine. */
  profileClaims?: ProfileClaims;
  metrics: SessionMetrics;
  log: Log;
}

/** Manages the profiles of sessions: their reservations, their saves, and the events about unsaved data. */
export class SessionProfiles implements SaveObserver {
  readonly #reservations: ProfileReservations;
  readonly #claims: ProfileClaims;

  constructor(
    private readonly parts: SessionProfilesParts,
    private readonly events: SessionEvents,
    private readonly live: (sessionId: string) => Session | undefined,
  ) {
    this.#claims = parts.profileClaims ?? NO_OTHER_CLAIMS;
    this.#reservations = new ProfileReservations(parts.profiles, this, this.#claims);
  }

  /** See {@link ProfileReservations.reserve}. */
  reserve(sessionId: string, use: ProfileUse, { timeoutWebhook }: SessionSecrets): Promise<ProfileTransfer> {
    const webhook = timeoutWebhook && { url: timeoutWebhook.url, bearer: timeoutWebhook.bearer };
    return this.#reservations.reserve({ sessionId, webhook }, use);
  }

  /** See {@link ProfileReservations.recover}. */
  recover(workingCopy: ProfileWorkingCopy): ProfileSave {
    return this.#reservations.recover(workingCopy);
  }

  /** See {@link ProfileReservations.release}. */
  release(sessionId: string, use: ProfileUse): void {
    this.#reservations.release(sessionId, use);
  }

  /** See {@link ProfileReservations.hasUnsaved}. */
  get hasUnsaved(): boolean {
    return this.#reservations.hasUnsaved;
  }

  /** See {@link ProfileReservations.hasFailed}. */
  hasFailed(sessionId: string): boolean {
    return this.#reservations.hasFailed(sessionId);
  }

  /**
   * Sends events for sessions whose data this machine no longer has. Call it after {@link recover} was called
   * for all data of a killed service.
   */
  start(): Promise<void> {
    return this.#claims.start((lost) => this.#onLost(lost));
  }

  /** See {@link ProfileClaims.reconcile}. */
  reconcile(): Promise<void> {
    return this.#claims.reconcile();
  }

  /** See {@link ProfileClaims.unsaved}. */
  unsaved(): Promise<UnsavedProfile[]> {
    return this.#claims.unsaved();
  }

  /** See {@link ProfileClaims.giveUp}. */
  giveUp(profile: string): Promise<boolean> {
    return this.#claims.giveUp(profile);
  }

  async onSave(result: SaveResult, { profile, owner }: ProfileWorkingCopy, error: unknown): Promise<void> {
    this.parts.metrics.profileSave(result);
    if (result === 'saved') return;
    const session = owner?.sessionId;
    this.parts.log.error('a profile could not be saved', { profile, session, result, error });
    if (!owner || result === 'gone') return;
    // Sends the event `failed` only for the first failure of a session. At that time the session is still
    // live. The retries follow after its end.
    if (result === 'given_up') await this.events.profileSaveFailed(owner, profile, 'too_large');
    else if (this.live(owner.sessionId)) await this.events.profileSaveFailed(owner, profile, 'failed');
  }

  async #onLost({ profile, owner, cause }: LostProfile): Promise<void> {
    this.parts.metrics.profileSave('given_up');
    this.parts.log.error('the profile data of a session is lost', {
      ...{ audit: 'profile_lost', profile, session: owner?.sessionId, cause },
    });
    if (owner) await this.events.profileSaveFailed(owner, profile, cause);
  }
}
