import type { Database } from '../database/database.js';
import type { Statement } from '../database/statement.js';
import type { Clock, Timer } from '../platform/clock.js';
import type { ProfileClaims } from '../sessions/ports.js';

/** What {@link PostgresProfileClaims} are made of. */
export interface PostgresProfileClaimsParts {
  database: Database;
  /** The code of this node. */
  node: string;
  /** The epoch of this node at the moment. */
  epoch: () => number;
  clock: Clock;
}

/** Between two tries to give back what could not be given back. */
const RETRY_MS = 5_000;

/** A claim counts as long as its node is alive in the same life; on one node the node itself judges. */
const COUNTS = `exists (select from nodes
  where nodes.code = profile_writers.node and nodes.epoch = profile_writers.epoch and nodes.state = 'alive')`;
const CLAIM: Statement = {
  name: 'profile_claim',
  text: `
    insert into profile_writers (profile, session_id, node, epoch) values ($1, $2, $3, $4)
    on conflict (profile) do update set session_id = excluded.session_id, node = excluded.node, epoch = excluded.epoch
    where (profile_writers.node = excluded.node and profile_writers.epoch <= excluded.epoch) or not ${COUNTS}
    returning profile`,
};
const FIRST_WRITTEN: Statement = {
  name: 'profile_first_written',
  text: `select profile from profile_writers
    where profile = $1 and node <> $2 and coalesce(session_id, profile) = profile and ${COUNTS}`,
};
const RELEASE: Statement = {
  name: 'profile_release',
  text: `delete from profile_writers
    where profile = $1 and node = $2 and epoch <= $3 and session_id is not distinct from $4`,
};

/** Claims of profiles in a database, for all nodes. What cannot be given back at once is given back later. */
export class PostgresProfileClaims implements ProfileClaims {
  /** To be given back: the profiles and who wrote them. */
  readonly #releases = new Map<string, string | null>();
  readonly #stopWatching: () => void;
  #timer: Timer | undefined;
  #closed = false;

  constructor(private readonly parts: PostgresProfileClaimsParts) {
    this.#stopWatching = parts.database.watch((available) => {
      if (available) void this.flush();
    });
  }

  async claim(profile: string, sessionId: string | null): Promise<boolean> {
    const { database, node, epoch } = this.parts;
    this.#releases.delete(profile);
    try {
      const rows = await database.rows(CLAIM, [profile, sessionId, node, epoch()]);
      return rows.length > 0;
    } catch (error) {
      // It may have been heard.
      this.release(profile, sessionId);
      throw error;
    }
  }

  async isUnsaved(profile: string): Promise<boolean> {
    const { database, node } = this.parts;
    return (await database.rows(FIRST_WRITTEN, [profile, node])).length > 0;
  }

  release(profile: string, sessionId: string | null): void {
    this.#releases.set(profile, sessionId);
    void this.flush();
  }

  /** Gives back what is to be given back; settles when that is done or fails. */
  async flush(): Promise<void> {
    const { database, node, epoch, clock } = this.parts;
    for (const [profile, sessionId] of [...this.#releases]) {
      try {
        await database.rows(RELEASE, [profile, node, epoch(), sessionId]);
        if (this.#releases.get(profile) === sessionId) this.#releases.delete(profile);
      } catch {
        this.#timer?.cancel();
        if (!this.#closed) this.#timer = clock.setTimeout(() => void this.flush(), RETRY_MS);
        return;
      }
    }
  }

  /** Gives back what it can, and ends: the rest is free when this node is not alive any more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
    this.#stopWatching();
    this.#timer?.cancel();
  }
}
