import type { Log } from '../platform/log.js';
import type { Registry } from './ports.js';
import type { RecordKeeper } from './record-keeper.js';
import type { Clock, Timer } from '../platform/clock.js';

/** Interval of heartbeats. If the service is killed, its sessions count as ended at the last one. */
const ALIVE_INTERVAL_MS = 30_000;
/** Pause before a retry after a failed write. */
const RETRY_INTERVAL_MS = 5_000;
/** Interval of the removal of old records. They are kept for days, so one more hour does not matter. */
const RETIRE_INTERVAL_MS = 3_600_000;
/**
 * Records that are removed in one batch. Other work on the registry waits only a moment for a batch of this
 * size.
 */
const RETIRE_BATCH = 500;
const DAY_MS = 86_400_000;

/** Maintains the registry while the service runs: writes heartbeats and removes old records. */
export class Housekeeping {
  readonly #timers = new Map<number, Timer>();
  readonly #running = new Set<Promise<void>>();
  #stopped = false;
  #failing = false;

  constructor(
    private readonly registry: Registry,
    private readonly records: RecordKeeper,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly recordDays: number,
    /** Id of this process, see `Moment`. */
    private readonly run: string,
  ) {}

  start(): void {
    // When the storage works again, unsaved records are written as early as the next heartbeat.
    this.records.onUnsaved = this.#repeat(ALIVE_INTERVAL_MS, () => this.#showAlive());
    this.#repeat(RETIRE_INTERVAL_MS, () => this.#retire());
  }

  /** True if the last heartbeat could be written, and no record waits to be written. */
  get writes(): boolean {
    return !this.#failing && !this.records.hasUnsaved;
  }

  /** Resolves when no write is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers.values()) timer.cancel();
    await Promise.all(this.#running);
  }

  async #showAlive(): Promise<void> {
    try {
      const moment = { run: this.run, at: this.clock.now() };
      await this.registry.markAlive({ date: this.clock.date(), moment });
      this.#failing = false;
    } catch (error) {
      this.#failing = true;
      throw error;
    }
    await this.records.retry();
  }

  async #retire(): Promise<void> {
    const oldest = new Date(this.clock.date().getTime() - this.recordDays * DAY_MS);
    let records = 0;
    for (let some = RETIRE_BATCH; some === RETIRE_BATCH && !this.#stopped; records += some)
      some = await this.registry.retire(oldest, RETIRE_BATCH);
    if (records > 0) this.log.info('old session records were removed', { records });
  }

  /** Runs a task at an interval. The returned function runs it again after {@link RETRY_INTERVAL_MS}. */
  #repeat(interval: number, task: () => Promise<void>): () => void {
    const repeatAfter = (wait: number) => {
      this.#timers.get(interval)?.cancel();
      if (!this.#stopped) this.#timers.set(interval, this.clock.setTimeout(run, wait));
    };
    const run = () => {
      if (this.#stopped) return;
      const running = task().catch((error: unknown) =>
        this.log.error('could not update the registry', { error }),
      );
      this.#running.add(running);
      repeatAfter(interval);
      void running.then(() => {
        this.#running.delete(running);
        if (!this.writes) repeatAfter(RETRY_INTERVAL_MS);
      });
    };
    run();
    return () => repeatAfter(RETRY_INTERVAL_MS);
  }
}
