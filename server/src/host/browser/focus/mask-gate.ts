import type { Clock } from '../../../platform/time/clock.js';
import type { FrameWorld } from './frame-world.js';

/** Time after which a frame closes its masked fields by itself. Milliseconds. */
const LEASE_MS = 5_000;
/**
 * Allowance for the transfer time of messages. The clocks of host and browser need no allowance, because they
 * run at the same speed. Milliseconds.
 */
const SLACK_MS = 500;

/**
 * Opens and closes masked fields for input in all frames. A frame opens its fields for a lease of limited
 * time, and closes them by itself when the lease ends. A frame that does not answer the command to close may
 * stay open until then. A frame that has not answered the command to open may still open at any time.
 */
export class MaskGate {
  /** Time at which the last known lease of a frame ends. */
  #until = -Infinity;
  readonly #opening = new Set<FrameWorld>();
  /** Frames that got the command to close and have not answered; undefined while the gate is not closing. */
  #closing: Set<FrameWorld> | undefined;

  constructor(
    private readonly frames: () => Iterable<FrameWorld>,
    private readonly clock: Clock,
    private readonly limitMs: number,
  ) {}

  /** True if the gate is open for long enough for the next action. Extends the lease if needed. */
  keepOpen(): boolean {
    const left = this.#left;
    if (left <= 0) return false;
    if (left < LEASE_MS / 2) void this.open();
    return true;
  }

  /** Resolves when all frames are open, or at the timeout. */
  async open(): Promise<void> {
    this.#closing = undefined;
    this.#until = this.#end();
    await Promise.all([...this.frames()].map((frame) => this.#open(frame, LEASE_MS)));
  }

  /** Opens a new frame if the gate is open. */
  greet(frame: FrameWorld): void {
    if (this.#left > 0) void this.#open(frame, this.#left);
  }

  /** True if the masked fields of any frame may be open. */
  get mayBeOpen(): boolean {
    if (this.#closing?.size === 0) return false;
    return this.clock.now() <= this.#until || this.#opening.size > 0;
  }

  /**
   * Closes all frames. Resolves to true if every frame is closed. After a timeout, later calls do not wait
   * for the same frames again.
   */
  async close(): Promise<boolean> {
    if (!this.mayBeOpen) return true;
    if (this.#closing) return false;
    const closing = new Set(this.frames());
    this.#closing = closing;
    // A frame that is gone counts as closed, because it accepts no input. If the browser restores the frame,
    // its fields are closed.
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
      // The frame's lease began when the frame carried out the command. So it ends within `lease`
      // milliseconds from this moment.
      if (!this.#closing) this.#until = Math.max(this.#until, this.clock.now() + lease + SLACK_MS);
    });
  }
}
