import type { Clock } from '../../platform/time/clock.js';

/** Times for which an act of a user may cause a copy. Milliseconds. */
export interface CopyTimes {
  /** Time after any act. */
  act: number;
  /** Time after a copy shortcut, for the first copy after it. */
  shortcut: number;
  /** Changes of the clipboard within this time are one copy. */
  settle: number;
}

/**
 * Recognizes copies that a busy page performs after the end of a privacy mode, although an act in it has
 * caused them. A copy of another user soon after the end may be taken for such a copy, because the host
 * cannot tell the two apart. That user has to copy again, which is better than a secret that escapes.
 */
export class PrivateActs {
  #active = false;
  #actor: object | undefined;
  #actedAt = -Infinity;
  /** Time of the newest copy shortcut in privacy mode, until it has caused a copy. */
  #shortcutAt = -Infinity;
  #settlesAt = -Infinity;

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly times: CopyTimes,
  ) {}

  /** Records that a user starts privacy mode. */
  begin(): void {
    this.#forget();
    this.#active = true;
  }

  /** Records that privacy mode has ended. */
  end(): void {
    this.#active = false;
  }

  /** Records an act of a user. After privacy mode, the next act of its user ends the recognition. */
  acts(identity: object, copies: boolean): void {
    if (this.#active) {
      this.#actor = identity;
      this.#actedAt = this.clock.now();
      if (copies) this.#shortcutAt = this.#actedAt;
    } else if (identity === this.#actor) this.#forget();
  }

  /** Records a copy. Returns true if an act in an ended privacy mode may have caused it. */
  copied(): boolean {
    const now = this.clock.now();
    const isLate =
      now <= this.#settlesAt ||
      now - this.#actedAt <= this.times.act ||
      now - this.#shortcutAt <= this.times.shortcut;
    this.#shortcutAt = -Infinity;
    if (this.#active || !isLate) return false;
    this.#settlesAt = now + this.times.settle;
    return true;
  }

  #forget(): void {
    this.#actor = undefined;
    this.#actedAt = this.#shortcutAt = this.#settlesAt = -Infinity;
  }
}
