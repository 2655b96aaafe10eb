import { isSessionMethod, type SessionMethod } from 'cloud-browser/protocol';
import { systemClock, type Clock, type Timer } from '../../../platform/clock.js';
import { TokenBucket } from '../../../platform/token-bucket.js';

/** Calls that one caller may have under way. */
export const MAX_OPEN_CALLS = 32;
/** What calls of one caller may cost together. */
const PACE = { perSecond: 100, burst: 200 };

/** What keeps the browser busy costs more than to ask it something, which costs 1. A tab is a process. */
const [PROCESS, WORK] = [25, 5];
const COSTS: Partial<Record<SessionMethod, number>> = {
  'tabs.create': PROCESS,
  'tabs.duplicate': PROCESS,
  'tabs.discard': WORK,
  'tabs.goBack': WORK,
  'tabs.goForward': WORK,
  'tabs.move': WORK,
  'tabs.reload': WORK,
  'tabs.remove': WORK,
  'tabs.setZoom': WORK,
  'tabs.update': WORK,
  'clipboard.read': WORK,
  'clipboard.fetch': WORK,
  'clipboard.write': WORK,
  'control.request': WORK,
  'files.offer': WORK,
  'files.finish': WORK,
  'files.ticket': WORK,
  'accessibility.act': WORK,
  enablePrivacyMode: WORK,
  disablePrivacyMode: WORK,
};

const RESIZE: SessionMethod = 'resize';

interface Waiting {
  cost: number;
  begin: (may: boolean) => void;
}

/** The calls of one caller: begun in their order, no faster than the browser bears, and only so many at once. */
export class CallLane {
  readonly #pace: TokenBucket;
  readonly #waiting: Waiting[] = [];
  #open = 0;
  #timer: Timer | undefined;

  constructor(private readonly clock: Clock = systemClock) {
    this.#pace = new TokenBucket(PACE, clock);
  }

  /**
   * Opens a call, to be ended by {@link leave}. False: too many are under way. Resizes are not counted: whoever drags a window's edge
   * makes many, and all that wait are one change.
   */
  enter(method: string): boolean {
    if (method === RESIZE) return true;
    if (this.#open >= MAX_OPEN_CALLS) return false;
    this.#open++;
    return true;
  }

  leave(method: string): void {
    if (method !== RESIZE) this.#open--;
  }

  /** True, at once or later, when this call may begin; false when its caller has gone. */
  turn(method: string): true | Promise<boolean> {
    const cost = (isSessionMethod(method) && COSTS[method]) || 1;
    if (this.#waiting.length === 0 && this.#pace.take(cost)) return true;
    return new Promise((begin) => {
      this.#waiting.push({ cost, begin });
      this.#schedule();
    });
  }

  /** The caller has gone: what has not begun never does. */
  close(): void {
    this.#timer?.cancel();
    for (const { begin } of this.#waiting.splice(0)) begin(false);
  }

  #schedule(): void {
    const [first] = this.#waiting;
    if (!first || this.#timer) return;
    this.#timer = this.clock.setTimeout(
      () => {
        this.#timer = undefined;
        this.#beginThose();
      },
      Math.ceil(this.#pace.wait(first.cost)),
    );
  }

  #beginThose(): void {
    for (let first = this.#waiting[0]; first && this.#pace.take(first.cost); first = this.#waiting[0]) {
      this.#waiting.shift();
      first.begin(true);
    }
    this.#schedule();
  }
}
