import { TimeBudget } from '../../../../platform/rates/time-budget.js';
import { TokenBucket } from '../../../../platform/rates/token-bucket.js';
import { TIME_OF_LARGE_ANSWERS } from '../commands/large-answers.js';
import { PeopleFirst } from './people-first.js';

/**
 * Rate limits for the commands and bytes of one program. If a program is faster, the host stops reading its
 * socket for a while.
 */
const COMMANDS = { perSecond: 2_000, burst: 2_000 };
const BYTES = { perSecond: 50_000_000, burst: 200_000_000 };
/**
 * Rate limit for refused commands of one program. A program may poll a closed page, or a page during another
 * user's privacy mode. This limit slows such a program down.
 */
const REFUSALS = { perSecond: 50, burst: 200 };
/** Rate limit for messages that are not commands. Correct clients of the DevTools protocol send none. */
const MALFORMED = { perSecond: 1, burst: 50 };
/** Rate limit for pings and pongs of the WebSocket protocol. A program pings at most once a second. */
const PINGS = { perSecond: 20, burst: 200 };
/**
 * Maximum share of the host's time for programs. The same thread handles the picture, the sound and the input
 * of all users. The share of one program is smaller than the share of all, so that other programs get time
 * too.
 */
const TIME_OF_ALL = { share: 0.15, burstMs: 300 };
const TIME_OF_ONE = { share: 0.1, burstMs: 200 };

/** The limits that all programs of a session share. */
export class SharedPace {
  /** Limit of the host's time for all programs together. */
  readonly time: TimeBudget;
  /** Limit of the time that the browser spends on large answers for all programs together. */
  readonly largeAnswers: TimeBudget;
  readonly people: PeopleFirst;

  /** @param now returns the current time in milliseconds */
  constructor(now: () => number) {
    this.time = new TimeBudget(TIME_OF_ALL, now);
    this.largeAnswers = new TimeBudget(TIME_OF_LARGE_ANSWERS.all, now);
    this.people = new PeopleFirst(now);
  }
}

/** Decides when the next command of one program may begin. */
export class ProgramPace {
  readonly #commands: TokenBucket;
  readonly #bytes: TokenBucket;
  readonly #refusals: TokenBucket;
  readonly #malformed: TokenBucket;
  readonly #pings: TokenBucket;
  readonly #time: TimeBudget;

  constructor(
    private readonly shared: SharedPace,
    now: () => number,
  ) {
    this.#commands = new TokenBucket(COMMANDS, { now });
    this.#bytes = new TokenBucket(BYTES, { now });
    this.#refusals = new TokenBucket(REFUSALS, { now });
    this.#malformed = new TokenBucket(MALFORMED, { now });
    this.#pings = new TokenBucket(PINGS, { now });
    this.#time = new TimeBudget(TIME_OF_ONE, now);
  }

  /** Returns the milliseconds until a command of this size in characters may begin. 0 if it may begin now. */
  wait(size: number): number {
    return Math.max(
      this.#time.wait,
      this.shared.time.wait,
      this.shared.people.wait,
      this.#refusals.wait(),
      this.#commands.wait(),
      this.#bytes.wait(size),
    );
  }

  /** Counts a command of this size that begins. */
  begins(size: number): void {
    this.#commands.take();
    this.#bytes.take(size);
  }

  /** Counts time that the host has used for the program. Milliseconds. */
  used(ms: number): void {
    this.#time.use(ms);
    this.shared.time.use(ms);
  }

  /** Counts a command that was refused. */
  refused(): void {
    this.#refusals.take();
  }

  /** Counts a message that is not a command. Returns false if there were too many. */
  allowsMalformed(): boolean {
    return this.#malformed.take();
  }

  /** Counts a ping or pong of the WebSocket protocol. Returns false if there were too many. */
  allowsPing(): boolean {
    return this.#pings.take();
  }
}
