import type { Clock } from '../../../platform/clock.js';
import type { FrameWorld } from './frame-world.js';

/** How long a frame's gate stays open when nobody closes it. Milliseconds. */
const LEASE_MS = 5_000;
/** Clocks of host and browser run alike; this is for messages on their way. Milliseconds. */
const SLACK_MS = 500;

/**
 * Opens and closes masked fields in all frames. A frame that does not answer may be open until its lease is over; one that was told to
 * open and has not answered may open at any time.
 */
export class MaskGate {
  /** On the clock: no frame that has answered is open after this. */
  #until = -Infinity;
  readonly #opening = new Set<FrameWorld>();
  /** Frames that were told to close and have not answered; undefined while nobody closes. */
  #closing: Set<FrameWorld> | undefined;

  constructor(
    private readonly frames: () => Iterable<FrameWorld>,
    private readonly clock: Clock,
    private readonly limitMs: number,
  ) {}

  /** Whether the gate is open for long enough for what is done next. Sees that it stays so. */
  keepOpen(): boolean {
    const left = this.#left;
    if (left <= 0) return false;
    if (left < LEASE_MS / 2) void this.open();
    return true;
  }

  /** Resolves when all frames are open, or do not answer in time. */
  async open(): Promise<void> {
    this.#closing = undefined;
    this.#until = this.#end();
    await Promise.all([...this.frames()].map((frame) => this.#open(frame, LEASE_MS)));
  }

  /** A frame has come. */
  greet(frame: FrameWorld): void {
    if (this.#left > 0) void this.#open(frame, this.#left);
  }

  /** Whether any frame may be open. */
  get mayBeOpen(): boolean {
    if (this.#closing?.size === 0) return false;
    return this.clock.now() <= this.#until || this.#opening.size > 0;
  }

  /** Resolves to whether every frame is closed; one that does not answer in time is not waited for again. */
  async close(): Promise<boolean> {
    if (!this.mayBeOpen) return true;
    if (this.#closing) return false;
    const closing = new Set(this.frames());
    this.#closing = closing;
    // Those that went away are closed for good, or come back closed.
    const close = (frame: FrameWorld) =>
      frame.order('close()', this.limitMs, () => void closing.delete(frame));
    await Promise.all([...closing].map(close));
    return !this.mayBeOpen;
  }

  get #left(): number {
    return this.#closing ? 0 : this.#until - SLACK_MS - this.clock.now();
  }

  #end(): number {
    return this.clock.now() + LEASE_MS + SLACK_MS;
  }

  async #open(frame: FrameWorld, lease: number): Promise<void> {
    this.#opening.add(frame);
    await frame.order(`open(${Math.floor(lease)})`, this.limitMs, () => {
      this.#opening.delete(frame);
      // Its lease began when it did what it was told.
      if (!this.#closing) this.#until = Math.max(this.#until, this.clock.now() + lease + SLACK_MS);
    });
  }
}
