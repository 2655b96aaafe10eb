import { systemClock, type Clock } from '../../../platform/time/clock.js';
import {
  fits,
  followedRatio,
  ratioWithin,
  SCREEN_LIMITS,
  sizeForBox,
  type ScreenShape,
  type Size,
} from '../../../platform/screen-size.js';
import { ChangePace, SESSION_PAUSES, USER_PAUSES } from './change-pace.js';
import { settle, SizeRequests, type SizeRequest, type Requester } from './size-requests.js';

/** State of a session's screen. The code that applies changes keeps the shape up to date. */
export type SessionScreen = Readonly<ScreenShape & { maxArea: number; followsRatio: boolean }>;

/** Requester of changes that follow the first viewer's pixel ratio. */
const RATIO: Requester = { gone: false, user: {} };
/** Key that all backends share in the map of paces. The other keys are users. */
const BACKEND = {};

/**
 * Changes the shape of the screen: its size and pixel ratio. Only one change runs at a time. Each change
 * interrupts the picture of all viewers for a moment. So there are pauses between the changes of each user
 * and of the whole session, and they increase with each change in a row. The next change uses the newest
 * request whose pauses have ended.
 */
export class SizeChanges {
  readonly #requests = new SizeRequests();
  readonly #pace: ChangePace;
  readonly #paces = new WeakMap<object, ChangePace>();
  /** First pixel ratio that a viewer has sent. Undefined before that. */
  #ratio: number | undefined;
  #running = false;
  #closed = false;
  /** Ends the pause before the next change. */
  #wake: () => void = () => undefined;

  /**
   * @param screen the current shape and the limits
   * @param apply changes the screen; called again only after the promise of the last call has settled
   */
  constructor(
    private readonly screen: SessionScreen,
    private readonly apply: (shape: ScreenShape) => Promise<void>,
    private readonly clock: Clock = systemClock,
  ) {
    this.#pace = new ChangePace(SESSION_PAUSES, clock);
  }

  /** True if the screen can have this size. */
  allows({ width, height }: Size): boolean {
    const { minSide } = SCREEN_LIMITS;
    const whole = [width, height].every((side) => Number.isInteger(side) && side >= minSide);
    return whole && fits({ width, height, pixelRatio: this.#leastRatio }, this.screen.maxArea);
  }

  /** Describes the sizes that {@link allows} accepts, for an error. */
  get bounds(): string {
    const { minSide, maxSide } = SCREEN_LIMITS;
    const ratio = this.#leastRatio;
    const [side, area] = [Math.floor(maxSide / ratio), Math.floor(this.screen.maxArea / ratio ** 2)];
    return `Width and height must be whole numbers from ${minSide} to ${side}, and width × height at most ${area}.`;
  }

  /**
   * Requests a size. Resolves when the screen has this size, or a size that was requested later. Also
   * resolves if the request is dropped. Rejects with the error of `apply`.
   */
  want(size: Size, requester: Requester): Promise<void> {
    return this.#add(size, requester);
  }

  /**
   * Requests the possible size that is nearest to a viewer's box. The box is the area in CSS pixels that the
   * viewer's page has for the screen. Settles like {@link want}.
   */
  fill(box: Size, requester: Requester): Promise<void> {
    return this.want(sizeForBox(box, this.#leastRatio, this.screen.maxArea), requester);
  }

  /**
   * Handles the pixel ratio of a viewer. Sessions with an automatic ratio use the first ratio that a viewer
   * sends.
   */
  async follow(pixelRatio: number): Promise<void> {
    if (!this.screen.followsRatio || this.#ratio !== undefined) return;
    this.#ratio = followedRatio(pixelRatio);
    await this.#add(undefined, RATIO);
  }

  /** Drops all requests. A change in progress is completed. */
  close(): void {
    this.#closed = true;
    this.#requests.clear();
    this.#wake();
  }

  /** Lowest pixel ratio of the screen. An automatic ratio can be lowered to 1 for a larger size. */
  get #leastRatio(): number {
    return this.screen.followsRatio ? 1 : this.screen.pixelRatio;
  }

  #add(size: Size | undefined, requester: Requester): Promise<void> {
    if (this.#closed) return Promise.resolve();
    const done = this.#requests.add(size, requester);
    // The new request may need a shorter pause than the waiting requests. So the pause is calculated again.
    this.#wake();
    if (!this.#running) void this.#run();
    return done;
  }

  async #run(): Promise<void> {
    this.#running = true;
    // Several requests in the same turn of the event loop become one change.
    await Promise.resolve();
    for (let requests = this.#requests.present; requests.length > 0; requests = this.#requests.present) {
      const next = this.#next(requests);
      if (typeof next === 'number') await this.#pause(next);
      else await this.#fulfil(next);
    }
    this.#running = false;
  }

  /**
   * Returns the newest request that may be carried out now, or the milliseconds until a request may be
   * carried out. If the newest request changes nothing, it needs no pause.
   */
  #next(requests: readonly SizeRequest[]): SizeRequest | number {
    const newest = requests.at(-1);
    if (newest && !this.#changeFor(newest)) return newest;
    const wait = Math.max(
      this.#pace.wait,
      Math.min(...requests.map((request) => this.#paceOf(request).wait)),
    );
    if (wait > 0) return wait;
    return requests.findLast((request) => this.#paceOf(request).wait === 0) ?? 0;
  }

  async #fulfil(request: SizeRequest): Promise<void> {
    const callers = this.#requests.take(request);
    const change = this.#changeFor(request);
    if (!change) {
      settle(callers);
      return;
    }
    for (const pace of [this.#pace, this.#paceOf(request)]) pace.changed();
    try {
      await this.apply(change);
      settle(callers);
    } catch (error) {
      settle(callers, { error });
    }
  }

  /** Returns the screen's shape after a request. Undefined if the screen already has this shape. */
  #changeFor({ size }: SizeRequest): ScreenShape | undefined {
    const { screen } = this;
    const { width, height } = size ?? screen;
    const ratio = this.#ratio ?? screen.pixelRatio;
    const pixelRatio = screen.followsRatio ? ratioWithin({ width, height }, ratio, screen.maxArea) : ratio;
    const same = width === screen.width && height === screen.height && pixelRatio === screen.pixelRatio;
    return same ? undefined : { width, height, pixelRatio };
  }

  #paceOf({ requester }: SizeRequest): ChangePace {
    const user = requester?.user ?? BACKEND;
    const known = this.#paces.get(user);
    if (known) return known;
    const pace = new ChangePace(USER_PAUSES, this.clock);
    this.#paces.set(user, pace);
    return pace;
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.clock.setTimeout(resolve, Math.ceil(milliseconds));
      this.#wake = () => {
        timer.cancel();
        resolve();
      };
    });
  }
}
