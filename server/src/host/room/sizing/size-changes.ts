import { systemClock, type Clock } from '../../../platform/clock.js';
import {
  fits,
  followedRatio,
  ratioWithin,
  SCREEN_LIMITS,
  sizeForBox,
  type ScreenShape,
  type Size,
} from '../../../platform/screen-size.js';
import { TokenBucket } from '../../../platform/token-bucket.js';

/** Every change stops everybody's picture for a moment. Who drags a window's edge still sees it follow. */
const PACE = { perSecond: 4, burst: 3 };

/** What a session says of its screen; the shape is kept up to date by whoever applies changes. */
export type SessionScreen = Readonly<ScreenShape & { maxArea: number; followsRatio: boolean }>;

/** Who wants a size; undefined is a backend. */
export type Wisher = { readonly gone: boolean } | undefined;

/** Changes of the screen's shape: at a pace, one after the other, and only to what is wanted last. */
export class SizeChanges {
  /** What is wanted, who wanted last at the end. */
  readonly #wanted = new Map<Wisher, Size>();
  readonly #pace: TokenBucket;
  /** The ratio of the first viewer, once one has told it. */
  #ratio: number | undefined;
  /** The change that is under way. */
  #last: Promise<void> = Promise.resolve();
  /** The one after it. */
  #next: Promise<void> | undefined;

  /**
   * @param screen as it is now, and what it may be
   * @param apply changes it; never called again before it has settled
   */
  constructor(
    private readonly screen: SessionScreen,
    private readonly apply: (shape: ScreenShape) => Promise<void>,
    private readonly clock: Clock = systemClock,
  ) {
    this.#pace = new TokenBucket(PACE, clock);
  }

  /** Whether the screen can have this size. */
  allows({ width, height }: Size): boolean {
    const { minSide } = SCREEN_LIMITS;
    const whole = [width, height].every((side) => Number.isInteger(side) && side >= minSide);
    return whole && fits({ width, height, pixelRatio: this.#leastRatio }, this.screen.maxArea);
  }

  /** What {@link allows} lets pass, in words. */
  get bounds(): string {
    const { minSide, maxSide } = SCREEN_LIMITS;
    const ratio = this.#leastRatio;
    const [side, area] = [Math.floor(maxSide / ratio), Math.floor(this.screen.maxArea / ratio ** 2)];
    return `Width and height must be whole numbers from ${minSide} to ${side}, and width × height at most ${area}.`;
  }

  /** Resolves when the screen has this size, or one that was wanted later. Rejects as `apply` does. */
  want(size: Size, wisher: Wisher): Promise<void> {
    this.#wanted.delete(wisher);
    this.#wanted.set(wisher, size);
    return this.#enqueue();
  }

  /** As {@link want}, for the box that a viewer has for the screen, in CSS pixels: the nearest size that the screen can have. */
  fill(box: Size, wisher: Wisher): Promise<void> {
    return this.want(sizeForBox(box, this.#leastRatio, this.screen.maxArea), wisher);
  }

  /** A viewer tells its ratio of pixels. The first one counts, in sessions that follow it. */
  async follow(pixelRatio: number): Promise<void> {
    if (!this.screen.followsRatio || this.#ratio !== undefined) return;
    this.#ratio = followedRatio(pixelRatio);
    await this.#enqueue();
  }

  /** A ratio that follows gives way to a larger size. */
  get #leastRatio(): number {
    return this.screen.followsRatio ? 1 : this.screen.pixelRatio;
  }

  /** One change after the other. Those who come while one is under way get what the last of them wants. */
  #enqueue(): Promise<void> {
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
    const { screen } = this;
    // Who was sent away meanwhile wants nothing.
    const wanted = [...this.#wanted].filter(([wisher]) => !wisher?.gone).at(-1)?.[1];
    this.#wanted.clear();
    const { width, height } = wanted ?? screen;
    const ratio = this.#ratio ?? screen.pixelRatio;
    const pixelRatio = screen.followsRatio ? ratioWithin({ width, height }, ratio, screen.maxArea) : ratio;
    const same = width === screen.width && height === screen.height && pixelRatio === screen.pixelRatio;
    if (!same) await this.apply({ width, height, pixelRatio });
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.clock.setTimeout(resolve, Math.ceil(milliseconds)));
  }
}
