import { systemTimers, type CloudBrowserClient, type Size, type Timers } from '../../core/index.js';
import type { Box } from './box-watch.js';

/** Defines if the remote screen follows the size of its container: `auto` or `none`. */
export type ResizeMode = 'none' | 'auto';

/**
 * Times without a size change before a new size is sent, in milliseconds. Each size uses a longer time than
 * the previous one, up to the last time. So if a user drags an edge with pauses, the screen is not resized at
 * every pause. The first size is sent without a delay.
 */
const QUIET_MS = [150, 200, 300, 400, 500];
/**
 * If the size did not change for longer than this, the shortest time of {@link QUIET_MS} applies again.
 * Milliseconds.
 */
const CALM_MS = 3_000;

/** Sends the size of the container to the session after the size has settled. */
export class AutoResize {
  #on = false;
  /** Current size of the container, and the last size that was sent. */
  #room: Size | undefined;
  #told: Size | undefined;
  #count = 0;
  #changed = -Infinity;
  #timer: unknown;

  constructor(
    private readonly client: Pick<CloudBrowserClient, 'setBox'>,
    private readonly timers: Timers = systemTimers,
  ) {}

  get on(): boolean {
    return this.#on;
  }

  set on(on: boolean) {
    if (on === this.#on) return;
    this.#on = on;
    this.timers.clearTimeout(this.#timer);
    if (on) this.#notify();
    else this.client.setBox((this.#told = undefined));
  }

  /**
   * Handles a new size of the container. A container without a size, for example a hidden one, counts as
   * unchanged.
   */
  readonly follow = ({ device }: Box): void => {
    // One CSS pixel covers `devicePixelRatio` device pixels.
    const side = (pixels: number) => Math.round(pixels / devicePixelRatio);
    const room = { width: side(device.width), height: side(device.height) };
    if (room.width === 0 || room.height === 0) return;
    this.#room = room;
    this.timers.clearTimeout(this.#timer);
    const now = this.timers.now();
    if (now - this.#changed > CALM_MS) this.#count = 0;
    this.#changed = now;
    if (!this.#on) return;
    if (!this.#told) this.#notify();
    else if (!isSame(room, this.#told))
      this.#timer = this.timers.setTimeout(() => this.#notify(), QUIET_MS[this.#count] ?? 0);
  };

  close(): void {
    this.timers.clearTimeout(this.#timer);
    this.#on = false;
  }

  #notify(): void {
    if (!this.#room) return;
    if (this.#told) this.#count = Math.min(this.#count + 1, QUIET_MS.length - 1);
    this.#told = this.#room;
    this.client.setBox(this.#told);
  }
}

function isSame(one: Size, other: Size): boolean {
  return one.width === other.width && one.height === other.height;
}
