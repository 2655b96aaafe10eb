import type { InputWithoutSeq } from '../../protocol/index.js';
import type { Timers } from '../timers.js';

/**
 * Times after an input event at which a probe follows. If the event's packet was lost, TCP notices it when a
 * later packet arrives. Without a later packet it waits for a timeout of about two round trips.
 */
const PROBES_MS = [8, 25] as const;
/** On a line with a shorter round trip, a lost packet costs little. Milliseconds. */
const DISTANT_MS = 15;
/** Events that come in quick succession. Each one also serves as a probe for the previous one. */
const FREQUENT: ReadonlySet<InputWithoutSeq['type']> = new Set(['move', 'relative', 'wheel']);

/** Sends tiny messages after presses and releases, so that TCP finds a lost packet early. */
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

  /** Records an event that was sent. Its probes replace the probes of the previous event. */
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
