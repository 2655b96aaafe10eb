import type { PoolClient } from 'pg';
import type { Clock } from '../platform/time/clock.js';
import type { Lanes } from '../platform/time/lanes.js';
import type { Connections } from './connections.js';
import { DatabaseError } from './database-error.js';
import { beforeDeadline } from './deadline.js';

/**
 * Milliseconds in which a database that works answers. A call that had to wait for a free connection may have
 * less time left. If it then gets no answer, the database does not count as unreachable.
 */
const ANSWER_MS = 250;

/** One use of a connection. The wait for a free connection, connecting and the work share one deadline. */
export class Contact {
  #client: PoolClient | undefined;
  /** Time at which the wait for a free connection ended, in milliseconds of the clock. */
  #begunAt: number | undefined;
  #late: DatabaseError | undefined;

  constructor(private readonly connections: Connections) {}

  /**
   * Runs the work with a connection. Rejects with the error of the work, or with {@link DatabaseError} at the
   * deadline. At the deadline, the connection is also destroyed, because no caller would read its late data.
   */
  run<T>(
    lanes: Lanes,
    time: { clock: Clock; limit: number },
    work: (client: PoolClient) => Promise<T>,
  ): Promise<T> {
    const done = lanes.run(() => {
      this.#begunAt = time.clock.now();
      return this.#use(work);
    });
    return beforeDeadline(done, time, () => this.#giveUp(time));
  }

  async #use<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    if (this.#late) throw this.#late;
    this.#client = await this.connections.take();
    try {
      this.#requireTime();
      return await work(this.#client);
    } catch (error) {
      // Any other error means that the database answered, so the connection is still usable.
      if (error instanceof DatabaseError && error.problem === 'unreachable') this.#destroy();
      throw error;
    } finally {
      this.#giveBack();
    }
  }

  /**
   * Throws if the deadline passed while the connection was being opened. If the database counts as
   * unreachable, the caller then destroys the connection.
   */
  #requireTime(): void {
    if (this.#late) throw this.#late;
  }

  #giveUp({ clock, limit }: { clock: Clock; limit: number }): DatabaseError {
    const begunAt = this.#begunAt ?? Infinity;
    this.#late =
      clock.now() - begunAt < ANSWER_MS
        ? new DatabaseError(
            'slow',
            'All connections to the database are in use. Raise DATABASE_CONNECTIONS to allow more.',
          )
        : new DatabaseError('unreachable', `The database has not answered for ${Math.round(limit)} ms.`);
    this.#destroy();
    return this.#late;
  }

  #destroy(): void {
    if (this.#client) this.connections.destroy(this.#client);
    this.#client = undefined;
  }

  #giveBack(): void {
    if (this.#client) this.connections.give(this.#client);
    this.#client = undefined;
  }
}
