import { randomBytes } from 'node:crypto';
import type { Log } from '../platform/log.js';
import type { EventQueue, WebhookClient, WebhookEvent } from '../sessions/ports.js';
import type { Clock, Timer } from '../platform/time/clock.js';
import { repeat, type Repetition } from '../platform/time/repeat.js';
import type { EventStore, StoredEvent } from './event-store.js';

/** Pauses between attempts, in milliseconds. The last pause repeats. */
const WAITS_MS = [1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000];
/** Age of an event in milliseconds from which a failed attempt is the last attempt. */
export const GIVE_UP_AFTER_MS = 86_400_000;
/**
 * Maximum number of waiting events of one session. Without it, a program that asks for a person again and
 * again could fill the disk of the service while the endpoint does not answer.
 */
export const MAX_WAITING_EVENTS = 1_000;

/** Interval in milliseconds of the checks for events of machines that are gone. */
export const TAKE_OVER_INTERVAL_MS = 10_000;

/** Dependencies of a {@link DurableEventQueue}. */
export interface DurableEventQueueParts {
  store: EventStore;
  client: Pick<WebhookClient, 'post'>;
  clock: Clock;
  log: Log;
  /** Called after every attempt. */
  onAttempt: (result: 'delivered' | 'failed' | 'given_up') => void;
}

/** An event that this process delivers. */
interface WaitingEvent {
  event: StoredEvent;
  /** Promise of the event's write to the store. */
  stored: Promise<void>;
  /**
   * Time on the monotonic clock from which a failed attempt is the last attempt. The machine's clock is read
   * only once, because it may be set meanwhile.
   */
  until: number;
}

/**
 * Waiting events of one session, in order. The first event is being delivered, or waits for its next attempt.
 */
interface Lane {
  events: WaitingEvent[];
  attempts: number;
  busy: boolean;
  /** True if an event was given up because too many waited. */
  overflowed: boolean;
  timer?: Timer;
}

/**
 * Delivers webhook events at least once, also after a restart of the service. Gives up an event after a day.
 * Delivers the events of a session in order. An event counts as delivered after an answer with a status of
 * 2xx. A receiver recognizes a repeated event by the header `Idempotency-Key`.
 */
export class DurableEventQueue implements EventQueue {
  readonly #lanes = new Map<string, Lane>();
  #lastNumber = 0;
  #closed = false;
  #takingOver: Repetition | undefined;

  private constructor(private readonly parts: DurableEventQueueParts) {}

  /** Opens the queue, and loads the events that an earlier process could not deliver. */
  static async open(parts: DurableEventQueueParts): Promise<DurableEventQueue> {
    const queue = new DurableEventQueue(parts);
    for (const event of await parts.store.all()) queue.#enqueue(event);
    if (parts.store.takeOver) queue.#lookForAbandoned();
    return queue;
  }

  async add(event: WebhookEvent): Promise<void> {
    const { store, clock } = this.parts;
    const stored = { ...event, id: this.#nextId(), createdAt: clock.date().toISOString() };
    // Adds the event to its lane before it is stored, to keep the order of the calls.
    const stand = store.add(stored);
    this.#enqueue(stored, stand);
    await stand;
  }

  /** Stops delivering. The next process delivers the waiting events. */
  close(): void {
    this.#closed = true;
    this.#takingOver?.stop();
    for (const { timer } of this.#lanes.values()) timer?.cancel();
  }

  #lookForAbandoned(): void {
    const { clock, log } = this.parts;
    // Uses the level `debug`. While the database is unavailable, this check fails every ten seconds on every
    // node.
    const onError = (error: unknown) => log.debug('could not look for events of other machines', { error });
    this.#takingOver = repeat(clock, { every: TAKE_OVER_INTERVAL_MS, onError }, () => this.#takeOver());
  }

  async #takeOver(): Promise<void> {
    const { store, log } = this.parts;
    const events = (await store.takeOver?.()) ?? [];
    if (events.length > 0)
      log.info('took over webhook events of machines that are gone', { events: events.length });
    for (const event of events) this.#enqueue(event);
  }

  #enqueue(event: StoredEvent, stored: Promise<void> = Promise.resolve()): void {
    const lane = this.#lanes.get(event.sessionId) ?? {
      events: [],
      attempts: 0,
      busy: false,
      overflowed: false,
    };
    this.#lanes.set(event.sessionId, lane);
    const { clock } = this.parts;
    const age = Math.max(0, clock.date().getTime() - Date.parse(event.createdAt));
    lane.events.push({ event, stored, until: clock.now() + GIVE_UP_AFTER_MS - age });
    if (lane.events.length > MAX_WAITING_EVENTS) this.#giveUpOldest(event.sessionId, lane);
    this.#run(event.sessionId, lane);
  }

  /** Removes the oldest event except the first, which may be on its way to the endpoint. */
  #giveUpOldest(session: string, lane: Lane): void {
    const { store, log, onAttempt } = this.parts;
    const [oldest] = lane.events.splice(1, 1);
    if (!oldest) return;
    onAttempt('given_up');
    if (!lane.overflowed) log.warn('too many events of a session wait; the oldest are given up', { session });
    lane.overflowed = true;
    void oldest.stored
      .catch(() => undefined)
      .then(() => store.remove(oldest.event.id))
      .catch((error: unknown) => log.error('an event could not be removed', { session, error }));
  }

  #run(sessionId: string, lane: Lane): void {
    if (lane.busy || this.#closed) return;
    lane.busy = true;
    void this.#deliverAll(sessionId, lane).catch((error: unknown) => {
      lane.busy = false;
      this.parts.log.error('events could not be delivered', { session: sessionId, error });
    });
  }

  async #deliverAll(sessionId: string, lane: Lane): Promise<void> {
    for (;;) {
      const [next] = lane.events;
      if (!next) {
        this.#lanes.delete(sessionId);
        return;
      }
      const { event, stored } = next;
      // Waits until the event is written. Otherwise, the delivered event could be removed before it is
      // written, and would then stay in the store. An event is delivered even if it could not be stored.
      await stored.catch(() => undefined);
      if (this.#closed) return;
      if (!(await this.#attempt(next, lane.attempts))) {
        const wait = WAITS_MS[Math.min(lane.attempts, WAITS_MS.length - 1)] ?? 0;
        lane.attempts += 1;
        // `busy` stays true, so that no later event of the session overtakes this event.
        lane.timer = this.parts.clock.setTimeout(() => {
          lane.busy = false;
          this.#run(sessionId, lane);
        }, wait);
        return;
      }
      lane.attempts = 0;
      lane.events.shift();
      // The event was delivered or given up. If its removal fails, it stays in the store, and a restarted
      // service delivers it again.
      await this.parts.store.remove(event.id).catch((error: unknown) => {
        this.parts.log.error('an event could not be removed', { session: sessionId, error });
      });
    }
  }

  /** Makes one attempt. Returns true if the event is delivered or given up. */
  async #attempt({ event, until }: WaitingEvent, attempts: number): Promise<boolean> {
    const { client, clock, log, onAttempt } = this.parts;
    const { url, bearer, body, id, sessionId } = event;
    let problem: string;
    try {
      const { status } = await client.post({ url, bearer, body, headers: { 'Idempotency-Key': id } });
      if (status >= 200 && status < 300) {
        onAttempt('delivered');
        return true;
      }
      problem = `The endpoint answered with the status ${status}.`;
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    const givenUp = clock.now() >= until;
    onAttempt(givenUp ? 'given_up' : 'failed');
    log.warn(givenUp ? 'an event was given up' : 'an event could not be delivered yet', {
      session: sessionId,
      attempt: attempts + 1,
      problem,
    });
    return givenUp;
  }

  /**
   * Returns an id that is higher than all earlier ids of this process. It contains the time and a counter.
   */
  #nextId(): string {
    const now = this.parts.clock.date().getTime();
    this.#lastNumber = Math.max(this.#lastNumber + 1, now * 1000);
    return `${String(this.#lastNumber).padStart(16, '0')}-${randomBytes(6).toString('hex')}`;
  }
}
