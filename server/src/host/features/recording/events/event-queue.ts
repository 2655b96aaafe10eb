import type { Clock } from '../../../../platform/time/clock.js';

/** An event of a recording. `type` names its kind. */
export type RecordedEvent = { type: string } & Readonly<Record<string, unknown>>;

/**
 * Milliseconds for which an event waits for its missing fields. Later events wait too, so that the order is
 * kept.
 */
export const FIELDS_TIMEOUT_MS = 500;

/** Fields of an event that are added later. */
export type LaterFields = Readonly<Record<string, unknown>> | undefined;

/** Receives an event, with its time in milliseconds of the recording. */
type WriteEvent = (event: RecordedEvent, time: number) => void;

interface WaitingEvent {
  event: RecordedEvent;
  time: number;
  complete: boolean;
  /** Receivers of the event. */
  writes: WriteEvent[];
}

/**
 * Keeps the order of events while some of them wait for fields from the browser. An event is written without
 * these fields if the browser does not answer in time.
 */
export class RecordedEventQueue {
  readonly #waiting: WaitingEvent[] = [];

  /** @param write receives the events */
  constructor(
    private readonly clock: Pick<Clock, 'setTimeout'>,
    private readonly write: WriteEvent,
  ) {}

  /** Adds an event. If `fields` is given, the event waits for these fields. */
  add(event: RecordedEvent, time: number, fields?: Promise<LaterFields>): void {
    if (!fields && this.#waiting.length === 0) return this.write(event, time);
    const waiting: WaitingEvent = { event, time, complete: !fields, writes: [this.write] };
    this.#waiting.push(waiting);
    if (!fields) return;
    const complete = (later: LaterFields) => {
      timer.cancel();
      if (waiting.complete) return;
      waiting.complete = true;
      waiting.event = { ...waiting.event, ...later };
      this.#writeComplete();
    };
    const timer = this.clock.setTimeout(() => complete(undefined), FIELDS_TIMEOUT_MS);
    fields.then(complete, () => complete(undefined));
  }

  /**
   * Writes the events that wait now also to another receiver, when they are complete. Resolves when all of
   * them are written.
   */
  async copyWaiting(write: WriteEvent): Promise<void> {
    for (const { writes } of this.#waiting) writes.push(write);
    const last = this.#waiting.at(-1);
    if (last) await new Promise<void>((resolve) => last.writes.push(() => resolve()));
  }

  /** Writes all events now, without the fields that are missing. */
  flush(): void {
    for (const waiting of this.#waiting) waiting.complete = true;
    this.#writeComplete();
  }

  #writeComplete(): void {
    for (let [first] = this.#waiting; first?.complete; [first] = this.#waiting) {
      this.#waiting.shift();
      for (const write of first.writes) write(first.event, first.time);
    }
  }
}
