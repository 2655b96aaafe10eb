import type { Clock, Timer } from '../platform/clock.js';
import type { Queries, Statement } from '../database/statement.js';

/** Interval of reads of the database's clock. Two machines drift by milliseconds in that time. */
const LOOK_INTERVAL_MS = 60_000;

const NOW: Statement = {
  name: 'cluster_time',
  text: 'select extract(epoch from clock_timestamp()) * 1000 as now',
};

/**
 * Time of the cluster: the database's clock at the last read, plus the time since then on the monotonic
 * clock. Nodes whose calendars are hours apart agree on it, also while the database is away.
 */
export class ClusterTime {
  #timer: Timer | undefined;
  #stopped = false;

  private constructor(
    private readonly database: Queries,
    private readonly clock: Clock,
    /** Offset that is added to this node's clock. */
    private offset: number,
  ) {}

  /** Reads the time for the first time. Rejects with `DatabaseError`. */
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
          // The last known offset stays valid.
          () => undefined,
        )
        .then(() => this.#schedule());
    }, LOOK_INTERVAL_MS);
  }
}

async function offsetOf(database: Queries, clock: Clock): Promise<number> {
  const asked = clock.now();
  const [row] = await database.rows<{ now: string | number }>(NOW);
  // Assumes that the request and the answer took the same time.
  return Number(row?.now) - (asked + clock.now()) / 2;
}
