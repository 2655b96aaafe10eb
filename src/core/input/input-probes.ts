import type { InputWithoutSeq } from '../../protocol/index.js';
import type { Timers } from '../timers.js';

/**
 * Times from an input event to its probes (tiny messages), in milliseconds. If the event's packet was lost,
 * TCP detects the loss when a later packet arrives. Without a later packet, TCP waits for a timeout of about
 * two round trips.
 */
const PROBES_MS = [8, 25] as const;
/**
 * Shortest round trip for which probes are sent, in milliseconds. With a shorter round trip, TCP repeats a
 * lost packet fast enough without probes.
 */
const DISTANT_MS = 15;
/**
 * Events without probes. They follow each other quickly, so each event also serves as a probe for the
 * previous one.
 */
const FREQUENT: ReadonlySet<InputWithoutSeq['type']> = new Set(['move', 'relative', 'wheel']);

/**
 * Sends probes (tiny messages) after each input event except moves and wheel events, so that TCP detects a
 * lost packet early. Sends them only if the round trip is known and at least {@link DISTANT_MS}.
 */
export class InputProbes {
  #timers: unknown[] = [];

  /**
   * @param roundTrip the round trip in milliseconds, undefined while it is not known
   * @param probe sends a probe
   */
  constructor(
    private readonly timers: Timers,
    private readonly roundTrip: () => number | undefined,
    private readonly probe: () => void,
  ) {}

  /**
   * Records an event that was sent, and schedules its probes. They replace the probes of an earlier event.
   */
  sent({ type }: InputWithoutSeq): void {
    if (FREQUENT.has(type) || (this.roundTrip() ?? 0) < DISTANT_MS) return;
    this.forget();
    this.#timers = PROBES_MS.map((delay) => this.timers.setTimeout(this.probe, delay));
  }

  /** Sends no further probes. */
  forget(): void {
    for (const timer of this.#timers) this.timers.clearTimeout(timer);
    this.#timers = [];
  }
}
