import type { Log } from '../platform/log.js';
import type { Registry } from './ports.js';
import type { RecordWriter } from './records/record-writer.js';
import { FailureRow } from '../platform/failure-row.js';
import { CautiousDate } from '../platform/time/cautious-date.js';
import type { Clock } from '../platform/time/clock.js';
import { repeat, type Repetition } from '../platform/time/repeat.js';

/** Interval of heartbeats. If the service is killed, its sessions count as ended at the last heartbeat. */
const ALIVE_INTERVAL_MS = 30_000;
/** Pause before a retry after a failed write. */
const RETRY_INTERVAL_MS = 5_000;
/** Interval of the removal of old records. Records are kept for days, so one more hour does not matter. */
const RETIRE_INTERVAL_MS = 3_600_000;
/**
 * Maximum number of records in one batch of the removal. With a small batch, other work on the registry waits
 * only a moment.
 */
const RETIRE_BATCH = 500;
const DAY_MS = 86_400_000;

/** Maintains the registry while the service runs: writes heartbeats and removes old records. */
export class Housekeeping {
  #repetitions: readonly Repetition[] = [];
  #heartbeats: Repetition | undefined;
  readonly #running = new Set<Promise<void>>();
  #stopped = false;
  #failing = false;
  readonly #calendar: CautiousDate;

  constructor(
    private readonly registry: Registry,
    private readonly records: RecordWriter,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly recordDays: number,
    /** Id of this process, see `Moment`. */
    private readonly run: string,
  ) {
    this.#calendar = new CautiousDate(clock);
  }

  start(): void {
    // Each heartbeat also writes the unsaved records. So the next heartbeat follows soon after a failed
    // write.
    const heartbeats = this.#repeat(ALIVE_INTERVAL_MS, RETRY_INTERVAL_MS, () => this.#showAlive());
    const removals = this.#repeat(RETIRE_INTERVAL_MS, RETIRE_INTERVAL_MS, () => this.#retire());
    this.#repetitions = [heartbeats, removals];
    this.#heartbeats = heartbeats;
    this.records.onUnsaved = () => heartbeats.runIn(RETRY_INTERVAL_MS);
  }

  /** True if the last heartbeat was written and no failed write of a record waits for its retry. */
  get writes(): boolean {
    return !this.#failing && !this.records.hasUnsaved;
  }

  /** Writes a heartbeat soon, because a write elsewhere has failed. So {@link writes} shows the failure. */
  verify(): void {
    if (this.writes) this.#heartbeats?.runIn(0);
  }

  /** Stops the maintenance. Resolves when no write is running. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const repetition of this.#repetitions) repetition.stop();
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
    const oldest = new Date(this.#calendar.date().getTime() - this.recordDays * DAY_MS);
    let records = 0;
    for (let some = RETIRE_BATCH; some === RETIRE_BATCH && !this.#stopped; records += some)
      some = await this.registry.retire(oldest, RETIRE_BATCH);
    if (records > 0) this.log.info('old session records were removed', { records });
  }

  /**
   * Runs a task at once and at an interval. The interval counts from the start of a run, so a write that
   * hangs does not prevent the next heartbeat. Logs only the first of several equal failures in a row.
   *
   * @param retry milliseconds from the end of a run to the next run while writes fail
   */
  #repeat(interval: number, retry: number, task: () => Promise<void>): Repetition {
    const failures = new FailureRow();
    const repetition = repeat(this.clock, { every: interval }, () => {
      const running = task().then(
        () => void failures.succeeded(),
        (error: unknown) => {
          if (failures.failed(kindOf(error))) this.log.error('could not update the registry', { error });
        },
      );
      this.#running.add(running);
      void running.then(() => {
        this.#running.delete(running);
        if (!this.writes) repetition.runIn(retry);
      });
    });
    void repetition.runNow();
    return repetition;
  }
}

/**
 * Returns the kind of an error: its code, and for an error of the database its problem. A message may contain
 * parts that change at every failure.
 */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { name, code = name, problem = '' } = error as { name: string; code?: unknown; problem?: unknown };
  return `${String(code)} ${String(problem)}`;
}
