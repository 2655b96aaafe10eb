/** Facts on which a policy bases its decision. */
export interface RetryContext {
  /** `connect`: there was no connection yet. `reconnect`: an established connection was lost. */
  phase: 'connect' | 'reconnect';
  /** Number of failed attempts in this phase. 0 directly after a loss. */
  attempt: number;
  /** Milliseconds since the first attempt, or since the loss. */
  elapsed: number;
}

/** Decides when the next attempt is made. */
export interface ReconnectPolicy {
  /**
   * Returns the milliseconds to wait before the next attempt. If it returns undefined, the client gives up
   * with the reason `unreachable`.
   */
  nextDelay(context: RetryContext): number | undefined;
}

/** Settings of {@link backoff}. Times in milliseconds. */
export interface BackoffOptions {
  /** Delay after the first failed attempt. The first attempt after a loss is immediate. Default 250. */
  firstDelay: number;
  /** Factor from each delay to the next. Default 1.8. */
  factor: number;
  /** Longest delay. Default 5000. */
  maxDelay: number;
  /**
   * Largest share of a delay, 0 to 1, that is subtracted at random. So not all clients reconnect at the same
   * time. Default 0.4.
   */
  jitter: number;
  /** Time limit for reconnecting a lost connection. Default 60000. */
  giveUpAfter: number;
  /** Time limit for the first connection. Default 20000. */
  giveUpConnectingAfter: number;
  /** Returns a random number from 0 to 1. Default `Math.random`. */
  random: () => number;
}

const DEFAULTS: BackoffOptions = {
  firstDelay: 250,
  factor: 1.8,
  maxDelay: 5000,
  jitter: 0.4,
  giveUpAfter: 60_000,
  giveUpConnectingAfter: 20_000,
  random: Math.random,
};

/**
 * The default policy. The first attempt is immediate. Further attempts follow with growing delays and jitter,
 * until a time limit.
 */
export function backoff(options: Partial<BackoffOptions> = {}): ReconnectPolicy {
  const { firstDelay, factor, maxDelay, jitter, giveUpAfter, giveUpConnectingAfter, random } = {
    ...DEFAULTS,
    ...options,
  };
  return {
    nextDelay({ phase, attempt, elapsed }) {
      const limit = phase === 'connect' ? giveUpConnectingAfter : giveUpAfter;
      if (elapsed >= limit) return undefined;
      if (attempt === 0) return 0;
      const full = Math.min(maxDelay, firstDelay * factor ** (attempt - 1));
      // Makes the last attempt exactly at the limit, so that the whole time is used.
      return Math.min(full * (1 - jitter * random()), limit - elapsed);
    },
  };
}

/** A policy that never retries. The first loss is final. */
export const noReconnect: ReconnectPolicy = { nextDelay: () => undefined };
