import { systemClock, type Clock } from '../../../platform/clock.js';
import { TokenBucket } from '../../../platform/token-bucket.js';
import type { Viewer } from '../viewer.js';
import { forRole } from './access.js';
import { CallError } from './call-error.js';
import type { Calls } from './calls.js';

/** Limits of the screen's width and height, in pixels; the API documents them. */
const MIN_SIDE = 256;
const MAX_SIDE = 3840;
/** Every change stops everybody's picture for a moment. Who drags a window's edge still sees it follow. */
const PACE = { perSecond: 4, burst: 3 };

/** Pixels of the screen. */
interface Size {
  width: number;
  height: number;
}

/** `resize(width, height)`: gives the screen another size, for viewers with the role `resize` and for admins. */
export class ResizeCall {
  /** What callers want, who wanted last at the end. A backend is undefined. */
  readonly #wanted = new Map<Viewer | undefined, Size>();
  readonly #pace: TokenBucket;
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
    private readonly clock: Clock = systemClock,
  ) {
    this.#pace = new TokenBucket(PACE, clock);
    calls.add('resize', forRole('resize'), ([width, height], { viewer }) =>
      this.#resize(this.#check(width, height), viewer),
    );
  }

  /** One change after the other. Those who come while one is under way get what the last of them wants. */
  #resize(size: Size, viewer: Viewer | undefined): Promise<void> {
    this.#wanted.delete(viewer);
    this.#wanted.set(viewer, size);
    if (this.#next) return this.#next;
    const next = this.#last.then(async () => {
      while (!this.#pace.take()) await this.#pause(this.#pace.wait());
      this.#next = undefined;
      await this.#change();
    });
    this.#next = next;
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #change(): Promise<void> {
    const { width, height } = this.screen;
    // Who was sent away meanwhile wants nothing.
    const wanted = [...this.#wanted].filter(([viewer]) => !viewer?.gone).at(-1)?.[1];
    this.#wanted.clear();
    if (wanted && (wanted.width !== width || wanted.height !== height)) await this.apply(wanted);
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.clock.setTimeout(resolve, Math.ceil(milliseconds)));
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
