import type { WebSocket } from 'ws';
import { systemClock, type Clock } from '../../../platform/time/clock.js';
import { TokenBucket, type Rate } from '../../../platform/rates/token-bucket.js';

/**
 * Limits of one user's events and messages. A mouse of 1000 Hz and the acknowledgements of frames make 1,100
 * events per second. The host's pings cause at most 200 pongs. A program that queries tabs 50 times per
 * second makes 50 messages. Pasting a megabyte makes 64 events.
 */
const EVENTS = { perSecond: 3_000, burst: 4_000 };
const MESSAGES = { perSecond: 300, burst: 600 };
/**
 * Limit of changes of the screen's size. Calls and reports of the viewer's own size both count. The project's
 * client makes at most one change in 1.5 seconds.
 */
const SIZES = { perSecond: 1, burst: 18 };
/**
 * Several size changes within this time count as one. Milliseconds. So a client may send a change with every
 * frame for some seconds while a user drags the window's edge.
 */
const SAME_SIZE_CHANGE_MS = 150;
const BYTES = { perSecond: 1024 * 1024, burst: 8 * 1024 * 1024 };
/**
 * Limit of all users of one issued token together, as a multiple of the limit of one user. Each connection of
 * a token without a fixed user is a new user. Without this limit, the holder of the token could multiply the
 * limits by the number of connections. Fifty viewers that share a token, acknowledge 60 frames and send 120
 * moves per second stay below it.
 */
const USERS_OF_TOKEN = 4;

/** Sentence for a user who is disconnected for flooding. */
export const FLOOD = 'You sent more than a session accepts from one user. Wait a moment, then connect again.';

/** Counts the messages of one user, over all of their connections. Also counts them for the user's token. */
export class FloodGuard {
  readonly #events: TokenBucket;
  readonly #messages: TokenBucket;
  readonly #bytes: TokenBucket;
  readonly #sizes: TokenBucket;
  #sizeCounted = -Infinity;

  /**
   * @param ofToken counts the messages of all users of the token that admitted the user
   * @param users number of users whose limits are added
   */
  constructor(
    private readonly clock: Pick<Clock, 'now'> = systemClock,
    readonly ofToken?: FloodGuard,
    users = 1,
  ) {
    const limit = ({ perSecond, burst }: Rate) =>
      new TokenBucket({ perSecond: perSecond * users, burst: burst * users }, clock);
    this.#events = limit(EVENTS);
    this.#messages = limit(MESSAGES);
    this.#bytes = limit(BYTES);
    this.#sizes = limit(SIZES);
  }

  /** Returns a guard for all users of one token together. */
  static ofToken(clock: Pick<Clock, 'now'>): FloodGuard {
    return new FloodGuard(clock, undefined, USERS_OF_TOKEN);
  }

  /**
   * Counts a request of the user to change the screen's size. Returns false if the user or the token exceeds
   * the limit.
   */
  takesSize(): boolean {
    const now = this.clock.now();
    if (now - this.#sizeCounted < SAME_SIZE_CHANGE_MS) return true;
    this.#sizeCounted = now;
    return this.#sizes.take() && (this.ofToken?.takesSize() ?? true);
  }

  /**
   * Counts a message. A binary message is an input event. Returns false if the user or the token exceeds a
   * limit.
   */
  takes(bytes: number, binary: boolean): boolean {
    const fits = (binary ? this.#events : this.#messages).take() && this.#bytes.take(bytes);
    return fits && (this.ofToken?.takes(bytes, binary) ?? true);
  }
}

/**
 * Counts the pings and pongs of a connection, which are no messages. A pong counts as an event, because the
 * host pings often. A ping counts as a message, because the WebSocket library answers it, and because
 * browsers send none. Returns a function that ends the counting.
 *
 * @param onFlood called for each ping or pong above the limit
 */
export function countPings(
  socket: Pick<WebSocket, 'on' | 'off'>,
  guard: Pick<FloodGuard, 'takes'>,
  onFlood: () => void,
): () => void {
  const count = (data: Buffer, isPong: boolean) => {
    if (!guard.takes(data.length, isPong)) onFlood();
  };
  const onPing = (data: Buffer) => count(data, false);
  const onPong = (data: Buffer) => count(data, true);
  socket.on('ping', onPing).on('pong', onPong);
  return () => void socket.off('ping', onPing).off('pong', onPong);
}
