import { systemClock, type Clock } from '../../platform/time/clock.js';

/** A viewer that misses a frame twice within this time is late. Milliseconds. */
const AGAIN_MS = 10_000;
/** A late viewer that has missed no frame for this time counts as recovered. Milliseconds. */
const RECOVERED_MS = 60_000;

/**
 * The viewers that cannot keep up with the others of their stream. A viewer on a fast line is late only after
 * a second missed frame, because any browser can be busy for a moment.
 */
export class LateViewers {
  /** The time of the last missed frame, by viewer. */
  readonly #missedAt = new WeakMap<object, number>();
  readonly #late = new WeakSet();

  constructor(private readonly clock: Pick<Clock, 'now'> = systemClock) {}

  has(viewer: object): boolean {
    return this.#late.has(viewer);
  }

  add(viewer: object): void {
    this.#late.add(viewer);
  }

  /**
   * Records that a viewer has missed a frame. Returns true if the viewer should become a late viewer.
   *
   * @param isThin true if the viewer's line is slow, so that the viewer will probably miss more frames
   */
  missed(viewer: object, isThin: boolean): boolean {
    const now = this.clock.now();
    const before = this.#missedAt.get(viewer) ?? -Infinity;
    this.#missedAt.set(viewer, now);
    return !this.has(viewer) && (isThin || now - before < AGAIN_MS);
  }

  /** True if a late viewer keeps up again. */
  isOver(viewer: object): boolean {
    return this.has(viewer) && this.clock.now() - (this.#missedAt.get(viewer) ?? 0) > RECOVERED_MS;
  }

  forget(viewer: object): void {
    this.#late.delete(viewer);
    this.#missedAt.delete(viewer);
  }
}
