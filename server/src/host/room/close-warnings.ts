import type { CloseWarning } from 'cloud-browser/protocol';
import type { CloseKind } from '../../host-protocol.js';

/** The warnings that hold now, so that those who come later see them too. */
export class CloseWarnings {
  /** When the session ends, by kind; milliseconds of `now`. */
  readonly #ends = new Map<CloseKind, number>();

  /** @param now milliseconds on a monotonic clock */
  constructor(private readonly now: () => number) {}

  /** Notes a warning, or with null its end; returns what viewers are to be told. */
  set(kind: CloseKind, delay: number | null): CloseWarning {
    if (delay === null) this.#ends.delete(kind);
    else this.#ends.set(kind, this.now() + delay);
    return { type: 'close-warning', kind, delay };
  }

  /** The warnings for a viewer who comes in now. */
  current(): CloseWarning[] {
    return [...this.#ends].map(([kind, end]) => ({
      type: 'close-warning',
      kind,
      delay: Math.max(0, end - this.now()),
    }));
  }
}
