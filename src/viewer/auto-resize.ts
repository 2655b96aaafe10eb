import { systemTimers, type CloudBrowserClient, type Size, type Timers } from '../core/index.js';
import type { Box } from './box-watch.js';

/** Whether the remote screen follows the size of its container. */
export type ResizeMode = 'none' | 'auto';

/**
 * A box keeps its size for so long before the screen follows: longer with each change while somebody goes on, so that dragging an edge
 * in pauses is not a change for every pause. Milliseconds.
 */
const QUIET_MS = [150, 200, 300, 400, 500];
/** After so long without a change of the box, it is quick again. Milliseconds. */
const CALM_MS = 3_000;

/** Tells the session which box its screen is to fill, when that has come to rest. */
export class AutoResize {
  #on = false;
  /** What the box has room for now, and what the session was told. */
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
    if (on) this.#tell();
    else this.client.setBox((this.#told = undefined));
  }

  /** The container has another box. One without a place, such as a hidden one, counts as unchanged. */
  readonly follow = ({ device }: Box): void => {
    // As many CSS pixels as there are pixels of the device for.
    const side = (pixels: number) => Math.round(pixels / devicePixelRatio);
    const room = { width: side(device.width), height: side(device.height) };
    if (room.width === 0 || room.height === 0) return;
    this.#room = room;
    this.timers.clearTimeout(this.#timer);
    const now = this.timers.now();
    if (now - this.#changed > CALM_MS) this.#count = 0;
    this.#changed = now;
    if (!this.#on) return;
    if (!this.#told) this.#tell();
    else if (!isSame(room, this.#told))
      this.#timer = this.timers.setTimeout(() => this.#tell(), QUIET_MS[this.#count] ?? 0);
  };

  close(): void {
    this.timers.clearTimeout(this.#timer);
    this.#on = false;
  }

  #tell(): void {
    if (!this.#room) return;
    if (this.#told) this.#count = Math.min(this.#count + 1, QUIET_MS.length - 1);
    this.#told = this.#room;
    this.client.setBox(this.#told);
  }
}

function isSame(one: Size, other: Size): boolean {
  return one.width === other.width && one.height === other.height;
}
