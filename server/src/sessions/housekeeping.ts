import type { Log } from '../platform/log.js';
import type { Registry } from './ports.js';
import type { RecordKeeper } from './record-keeper.js';
import type { Clock, Timer } from '../platform/clock.js';

/** Between two signs of life; a killed service's sessions are ended at its last one. */
const ALIVE_INTERVAL_MS = 30_000;
/** Between two tries to write, after one that failed. */
const RETRY_INTERVAL_MS = 5_000;
/** Records are kept for days, so an hour more does not matter. */
const RETIRE_INTERVAL_MS = 3_600_000;
/** Records that are removed at once: what waits for the registry meanwhile waits for a moment. */
const RETIRE_BATCH = 500;
const DAY_MS = 86_400_000;

/** Keeps the registry in order while the service runs: signs of life, and an end to old records. */
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
    /** Names this process, see `Moment`. */
    private readonly run: string,
  ) {}

  start(): void {
    // What could not be written waits no longer for a storage that is back than for one that is not.
    this.records.onUnsaved = this.#repeat(ALIVE_INTERVAL_MS, () => this.#showAlive());
    this.#repeat(RETIRE_INTERVAL_MS, () => this.#retire());
  }

  /** Whether the registry can be written to, as far as is known. */
  get writes(): boolean {
    return !this.#failing && !this.records.hasUnsaved;
  }

  /** Resolves when nothing is being written any more. */
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

  /** Repeats a task. The answer has it run again after {@link RETRY_INTERVAL_MS}. */
  #repeat(interval: number, task: () => Promise<void>): () => void {
    const repeatAfter = (wait: number) => {
      this.#timers.get(interval)?.cancel();
      if (!this.#stopped) this.#timers.set(interval, this.clock.setTimeout(run, wait));
    };
    const run = () => {
      if (this.#stopped) return;
      const running = task().catch((error: unknown) =>
        this.log.error('the registry could not be kept in order', { error }),
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
