import type { Database } from '../database/database.js';
import { DatabaseError } from '../database/database-error.js';
import type { Clock } from '../platform/time/clock.js';
import type { Log } from '../platform/log.js';
import { repeat, type Repetition } from '../platform/time/repeat.js';
import type {
  ClaimHolder,
  ProfileWorkingCopy,
  LostProfile,
  ProfileClaims,
  ProfileOwner,
  UnsavedProfile,
} from '../sessions/profiles/profile-claims.js';
import * as statements from './claim-statements.js';

/** Parts of {@link PostgresProfileClaims}. */
export interface PostgresProfileClaimsParts {
  database: Pick<Database, 'rows' | 'watch'>;
  /** The code of this node. */
  node: string;
  /** Returns the current epoch of this node: a number that increases each time the node joins the cluster. */
  epoch: () => number;
  clock: Clock;
  log: Log;
}

/** Milliseconds until the service sends a failed release again. */
const RETRY_MS = 5_000;
/** Time in milliseconds between two comparisons of the claims with the data on this machine. */
export const RECONCILE_MS = 60_000;

interface StoredClaim {
  profile: string;
  sessionId: string | null;
  webhook: string | null;
}

/**
 * The claims of all nodes on profiles, stored in a database. A claim is the right of one session to save a
 * profile. If the release of a claim does not reach the database, the service sends it again later.
 */
export class PostgresProfileClaims implements ProfileClaims {
  readonly shared = true;
  /** Profiles whose newest data is on this machine: in a running session, or not saved yet. */
  readonly #held = new Set<string>();
  /**
   * Releases that are not stored in the database yet. Maps each profile to the session of the claim, or to
   * null for a claim without a session.
   */
  readonly #releases = new Map<string, string | null>();
  readonly #stopWatching: () => void;
  #onLost: ((lost: LostProfile) => Promise<void>) | undefined;
  #reconciling: Promise<void> | undefined;
  /** Retries of failed releases. */
  readonly #retries: Repetition;
  #reconciliations: Repetition | undefined;
  #closed = false;

  constructor(private readonly parts: PostgresProfileClaimsParts) {
    this.#retries = repeat(parts.clock, { every: Infinity }, () => this.flush());
    this.#stopWatching = parts.database.watch((available) => {
      if (!available) return;
      void this.flush();
      void this.reconcile();
    });
  }

  async claim(profile: string, owner: ProfileOwner): Promise<ClaimHolder> {
    const { database, node, epoch } = this.parts;
    const { sessionId, webhook } = owner;
    // First releases the claim of the previous session, which ended on this machine.
    if (this.#releases.has(profile)) await this.#release(profile);
    this.#held.add(profile);
    try {
      const values = [profile, sessionId, node, epoch(), webhook && JSON.stringify(webhook)];
      const [row] = await database.rows<{ mine: boolean; left: boolean }>(statements.CLAIM, values);
      if (row?.mine) return 'none';
      this.#held.delete(profile);
      return row?.left ? 'left' : 'session';
    } catch (error) {
      // Releases the claim, because the database may have stored it although the call failed.
      this.release(profile, sessionId);
      throw error;
    }
  }

  keep({ profile }: ProfileWorkingCopy): void {
    this.#held.add(profile);
  }

  async confirm(workingCopy: ProfileWorkingCopy, hasLeft: boolean): Promise<'held' | 'saved' | 'gone'> {
    const { database, node, epoch } = this.parts;
    const { profile, owner, claimed } = workingCopy;
    if (!owner) {
      const rows = await database.rows(statements.CONFIRM_UNNAMED, [profile, node, epoch()]);
      return rows.length > 0 ? 'held' : 'gone';
    }
    // This working copy was made before the machine became part of a cluster, so it has no claim yet.
    if (!claimed) return (await this.claim(profile, owner)) === 'none' ? 'held' : 'gone';
    const { sessionId } = owner;
    const rows = await database.rows(statements.CONFIRM, [profile, sessionId, node, epoch(), hasLeft]);
    if (rows.length > 0) return 'held';
    const saved = await database.rows(statements.SAVED_BY, [profile, sessionId]);
    return saved.length > 0 ? 'saved' : 'gone';
  }

  async holderOf(profile: string): Promise<ClaimHolder> {
    const { database, node } = this.parts;
    if (this.#held.has(profile)) return 'none';
    const [row] = await database.rows<{ alive: boolean }>(statements.HOLDER, [profile, node]);
    if (!row) return 'none';
    return row.alive ? 'session' : 'left';
  }

  release(profile: string, sessionId: string | null): void {
    this.#releases.set(profile, sessionId);
    this.#held.delete(profile);
    void this.flush();
  }

  /**
   * Sends all waiting releases. Failed ones are sent again later. A release that the database refuses does
   * not prevent the others. Any other failure ends this attempt, because the others would fail too. Never
   * rejects.
   */
  async flush(): Promise<void> {
    for (const profile of [...this.#releases.keys()]) {
      try {
        await this.#release(profile);
      } catch (error) {
        this.#retries.runIn(RETRY_MS);
        if (!(error instanceof DatabaseError) || error.problem !== 'refused') return;
      }
    }
  }

  async start(onLost: (lost: LostProfile) => Promise<void>): Promise<void> {
    this.#onLost = onLost;
    await this.reconcile();
    if (this.#closed) return;
    this.#reconciliations = repeat(this.parts.clock, { every: RECONCILE_MS }, () => this.reconcile());
  }

  reconcile(): Promise<void> {
    this.#reconciling ??= this.#reconcile()
      .catch((error: unknown) =>
        this.parts.log.warn('could not reconcile claims of profiles with the data on this machine', {
          error,
        }),
      )
      .finally(() => (this.#reconciling = undefined));
    return this.#reconciling;
  }

  unsaved(): Promise<UnsavedProfile[]> {
    return this.parts.database.rows<UnsavedProfile>(statements.UNSAVED);
  }

  async giveUp(profile: string): Promise<boolean> {
    const [claim] = await this.parts.database.rows<StoredClaim>(statements.GIVE_UP, [profile]);
    if (!claim) return false;
    await this.#tellLost(claim, 'given_up');
    return true;
  }

  /**
   * Tries to send all releases, and stops. The next process of this node treats the remaining claims like
   * claims whose data is lost, see {@link reconcile}.
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.#retries.stop();
    this.#reconciliations?.stop();
    await this.#reconciling;
    // Tries each release, also after a failure, because no retry follows.
    await Promise.allSettled([...this.#releases.keys()].map((profile) => this.#release(profile)));
    this.#stopWatching();
  }

  async #release(profile: string): Promise<void> {
    const sessionId = this.#releases.get(profile);
    if (sessionId === undefined) return;
    const { database, node } = this.parts;
    await database.rows(statements.RELEASE, [profile, node, sessionId]);
    if (this.#releases.get(profile) === sessionId) this.#releases.delete(profile);
  }

  async #reconcile(): Promise<void> {
    const epoch = this.parts.epoch();
    await this.#reconcileIn(epoch);
    // If the epoch has changed, the node has joined the cluster again during the comparison. So its claims
    // still have the old epoch.
    if (this.parts.epoch() !== epoch) await this.#reconcile();
  }

  async #reconcileIn(epoch: number): Promise<void> {
    if (!this.#onLost || this.#closed) return;
    const { database, node } = this.parts;
    await database.rows(statements.RENEW, [node, epoch, [...this.#held]]);
    const has = [...this.#held, ...this.#releases.keys()];
    type Lost = StoredClaim & { givenUp: boolean; known: boolean };
    for (const claim of await database.rows<Lost>(statements.LOST, [node, has])) {
      // A session without a record was never returned to a client and has left no data. So its claim is
      // deleted without a report.
      if (claim.known || claim.givenUp) await this.#tellLost(claim, claim.givenUp ? 'given_up' : 'lost');
      else await database.rows(statements.DROP, [claim.profile, claim.sessionId]);
    }
  }

  /** Reports a lost profile. Deletes the claim only after the report. */
  async #tellLost({ profile, sessionId, webhook }: StoredClaim, cause: LostProfile['cause']): Promise<void> {
    const owner =
      sessionId === null
        ? null
        : { sessionId, webhook: webhook === null ? null : (JSON.parse(webhook) as ProfileOwner['webhook']) };
    await this.#onLost?.({ profile, owner, cause });
    await this.parts.database.rows(statements.DROP, [profile, sessionId]);
  }
}
