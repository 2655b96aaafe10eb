import type { TokenEnd } from '../../host-protocol.js';
import { findByHash, newToken } from '../../platform/secrets.js';
import type { Clock, Timer } from '../../platform/time/clock.js';
import { longTimeout } from '../../platform/time/long-timeout.js';
import { ServiceError } from '../../service-error.js';
import type { TokenRecord } from './token-record.js';

/** Maximum number of valid tokens of one session. */
export const MAX_TOKENS = 100;
/**
 * Maximum number of ended tokens that are remembered for one session. A client with such a token still learns
 * why the token ended.
 */
const MAX_ENDED = 100;

/** Checked request for a token. */
export type TokenOrder = Pick<TokenRecord, 'scope' | 'roles' | 'userId' | 'name' | 'parent'> & {
  /** Seconds until the token expires. */
  ttl: number;
};

/** Listener for the ends of tokens. */
export type TokenEnded = (token: TokenRecord, reason: TokenEnd) => void;

interface ValidToken {
  record: TokenRecord;
  /** Time at which the token expires, in milliseconds on the monotonic clock. */
  deadline: number;
  timer: Timer;
}

/**
 * The tokens that were issued for one live session. They expire on the monotonic clock, because no program
 * can set this clock. The service returns the secret of a token once, and keeps only its hash.
 */
export class IssuedTokens {
  readonly #valid = new Map<string, ValidToken>();
  /** The last ended tokens, oldest first. */
  readonly #ended: { hash: string; reason: TokenEnd }[] = [];
  #closed = false;

  constructor(
    private readonly clock: Clock,
    private readonly onEnded: TokenEnded,
  ) {}

  /** The valid tokens, oldest first. */
  get records(): readonly TokenRecord[] {
    return Array.from(this.#valid.values(), ({ record }) => record);
  }

  /**
   * Makes a token. Throws {@link ServiceError} if the session has ended or has too many tokens, or if the
   * parent of the new token has ended.
   */
  issue({ ttl, ...order }: TokenOrder): { record: TokenRecord; secret: string } {
    if (this.#closed) throw new ServiceError('err_session_terminated');
    if (order.parent !== undefined && !this.#valid.has(order.parent))
      throw new ServiceError('err_unauthenticated');
    if (this.#valid.size >= MAX_TOKENS) throw new ServiceError('err_too_many_tokens', MAX_TOKENS);
    const { id, secret, hash } = newToken();
    const now = this.clock.date().getTime();
    const record: TokenRecord = {
      id,
      hash,
      ...order,
      createdAt: new Date(now).toISOString(),
      expires: new Date(now + ttl * 1000).toISOString(),
    };
    const timer = longTimeout(this.clock, () => this.end(id, 'token_expired'), ttl * 1000);
    this.#valid.set(id, { record, deadline: this.clock.now() + ttl * 1000, timer });
    return { record, secret };
  }

  /** Returns the valid token with this secret. Compares the secret with all valid tokens in constant time. */
  find(candidate: string): TokenRecord | undefined {
    const record = findByHash(candidate, this.records);
    const token = record && this.#valid.get(record.id);
    // The token may have expired already, because its timer can be late.
    return token && token.deadline > this.clock.now() ? record : undefined;
  }

  /**
   * Returns the reason why a token with this secret has ended. Undefined if the token is not one of the last
   * {@link MAX_ENDED} tokens that have ended.
   */
  endOf(candidate: string): TokenEnd | undefined {
    return findByHash(candidate, this.#ended)?.reason;
  }

  /**
   * Ends a token and the tokens that it has created. Returns false if there is no valid token with this id.
   */
  end(id: string, reason: TokenEnd): boolean {
    const token = this.#valid.get(id);
    if (!token) return false;
    token.timer.cancel();
    this.#valid.delete(id);
    this.#ended.push({ hash: token.record.hash, reason });
    if (this.#ended.length > MAX_ENDED) this.#ended.shift();
    this.onEnded(token.record, reason);
    for (const { record } of [...this.#valid.values()]) if (record.parent === id) this.end(record.id, reason);
    return true;
  }

  /** Stops all timers, because the session has ended. */
  close(): void {
    this.#closed = true;
    for (const { timer } of this.#valid.values()) timer.cancel();
  }
}
