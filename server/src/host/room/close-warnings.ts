import type { CloseWarning } from 'cloud-browser/protocol';
import type { CloseKind } from '../../host-protocol.js';

/** Active warnings that the session will end soon. Viewers that join later receive them too. */
export class CloseWarnings {
  /** Times at which the session ends, by kind of warning. In milliseconds on the clock `now`. */
  readonly #ends = new Map<CloseKind, number>();

  /** @param now milliseconds on a monotonic clock */
  constructor(private readonly now: () => number) {}

  /**
   * Records a warning that the session ends after `delay` milliseconds. A `delay` of null ends the warning.
   * Returns the message for viewers.
   */
  set(kind: CloseKind, delay: number | null): CloseWarning {
    if (delay === null) this.#ends.delete(kind);
    else this.#ends.set(kind, this.now() + delay);
    return { type: 'close-warning', kind, delay };
  }

  /** Returns the warnings for a viewer that joins now. */
  current(): CloseWarning[] {
    return [...this.#ends].map(([kind, end]) => ({
      type: 'close-warning',
      kind,
      delay: Math.max(0, end - this.now()),
    }));
  }
}
