import type { Clock } from '../platform/time/clock.js';
import { repeat, type Repetition } from '../platform/time/repeat.js';
import type { Queries, Statement } from '../database/statement.js';

/**
 * Interval between reads of the database's clock. In this time, the clocks of two machines drift apart by
 * only a few milliseconds.
 */
const LOOK_INTERVAL_MS = 60_000;

const NOW: Statement = {
  name: 'cluster_time',
  text: 'select extract(epoch from clock_timestamp()) * 1000 as now',
};

/**
 * Time of the cluster: the database's clock at the last read, plus the time since then on this node's
 * monotonic clock. So all nodes have the same time, even if their own clocks differ by hours or the database
 * is unavailable.
 */
export class ClusterTime {
  readonly #reads: Repetition;

  private constructor(
    database: Queries,
    private readonly clock: Clock,
    /** Milliseconds to add to this node's clock. */
    private offset: number,
  ) {
    // After a failed read, the last known offset stays valid.
    const options = { every: LOOK_INTERVAL_MS, onError: () => undefined };
    this.#reads = repeat(clock, options, async () => {
      this.offset = await offsetOf(database, clock);
    });
  }

  /** Reads the time for the first time. Rejects with `DatabaseError`. */
  static async open(database: Queries, clock: Clock): Promise<ClusterTime> {
    return new ClusterTime(database, clock, await offsetOf(database, clock));
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.clock.now() + this.offset;
  }

  stop(): void {
    this.#reads.stop();
  }
}

async function offsetOf(database: Queries, clock: Clock): Promise<number> {
  const asked = clock.now();
  const [row] = await database.rows<{ now: string | number }>(NOW);
  // Assumes that the request and the answer took the same time.
  return Number(row?.now) - (asked + clock.now()) / 2;
}
