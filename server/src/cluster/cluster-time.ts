import type { Clock, Timer } from '../platform/clock.js';
import type { Queries, Statement } from '../database/statement.js';

/** Between two looks at the database's clock; two machines drift by milliseconds in that time. */
const LOOK_INTERVAL_MS = 60_000;

const NOW: Statement = {
  name: 'cluster_time',
  text: 'select extract(epoch from clock_timestamp()) * 1000 as now',
};

/**
 * What time it is for all nodes: that of the database when it was last looked at, and what has passed since on the clock that nobody
 * sets. Nodes whose calendars are hours apart agree on it, also while the database is away.
 */
export class ClusterTime {
  #timer: Timer | undefined;
  #stopped = false;

  private constructor(
    private readonly database: Queries,
    private readonly clock: Clock,
    /** What is to be added to this node's clock. */
    private offset: number,
  ) {}

  /** Rejects with `DatabaseError`. */
  static async open(database: Queries, clock: Clock): Promise<ClusterTime> {
    const time = new ClusterTime(database, clock, await offsetOf(database, clock));
    time.#schedule();
    return time;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.clock.now() + this.offset;
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = this.clock.setTimeout(() => {
      void offsetOf(this.database, this.clock)
        .then(
          (offset) => void (this.offset = offset),
          // What was known goes on holding.
          () => undefined,
        )
        .then(() => this.#schedule());
    }, LOOK_INTERVAL_MS);
  }
}

async function offsetOf(database: Queries, clock: Clock): Promise<number> {
  const asked = clock.now();
  const [row] = await database.rows<{ now: string | number }>(NOW);
  // Half of the way is there, half is back.
  return Number(row?.now) - (asked + clock.now()) / 2;
}
