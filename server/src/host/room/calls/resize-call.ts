import { forRole } from './access.js';
import { CallError } from './call-error.js';
import type { Calls } from './calls.js';

/** Limits of the screen's width and height, in pixels; the API documents them. */
const MIN_SIDE = 256;
const MAX_SIDE = 3840;

/** Pixels of the screen. */
interface Size {
  width: number;
  height: number;
}

/** `resize(width, height)`: gives the screen another size, for viewers with the role `resize` and for admins. */
export class ResizeCall {
  /** What was wanted last. */
  #wanted: Size | undefined;
  /** The change that is under way. */
  #last: Promise<void> = Promise.resolve();
  /** The one after it. */
  #next: Promise<void> | undefined;

  /**
   * @param screen its size now, and how many pixels it may have
   * @param apply changes the size; never called again before it has settled
   */
  constructor(
    calls: Calls,
    private readonly screen: Readonly<Size & { maxArea: number }>,
    private readonly apply: (size: Size) => Promise<void>,
  ) {
    calls.add('resize', forRole('resize'), ([width, height]) => this.#resize(this.#check(width, height)));
  }

  /** One change after the other. Those who come while one is under way get what the last of them wants. */
  #resize(size: Size): Promise<void> {
    this.#wanted = size;
    if (this.#next) return this.#next;
    const next = this.#last.then(() => {
      this.#next = undefined;
      return this.#change();
    });
    this.#next = next;
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #change(): Promise<void> {
    const { width, height } = this.screen;
    const wanted = this.#wanted;
    if (wanted && (wanted.width !== width || wanted.height !== height)) await this.apply(wanted);
  }

  #check(width: number, height: number): Size {
    const { maxArea } = this.screen;
    if (isSide(width) && isSide(height) && width * height <= maxArea) return { width, height };
    throw new CallError(
      'err_invalid_parameter',
      `Width and height must be whole numbers from ${MIN_SIDE} to ${MAX_SIDE}, and width × height at most ${maxArea}.`,
    );
  }
}

function isSide(value: number): boolean {
  return Number.isInteger(value) && value >= MIN_SIDE && value <= MAX_SIDE;
}
