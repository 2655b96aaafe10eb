/** What a policy may base its decision on. */
export interface RetryContext {
  /** `connect`: there was never a connection. `reconnect`: a working one was lost. */
  phase: 'connect' | 'reconnect';
  /** Attempts that failed since then, 0 right after a loss. */
  attempt: number;
  /** Milliseconds since the first attempt, or since the loss. */
  elapsed: number;
}

/** Decides when the next attempt is made. */
export interface ReconnectPolicy {
  /** Milliseconds to wait, or undefined to give up: the client then fails with the reason `unreachable`. */
  nextDelay(context: RetryContext): number | undefined;
}

/** The figures of {@link backoff}, times in milliseconds. */
export interface BackoffOptions {
  /** The wait before the second retry; the first one after a loss is made at once. Default 250. */
  firstDelay: number;
  /** What each wait is multiplied by to get the next. Default 1.8. */
  factor: number;
  /** The longest wait. Default 5000. */
  maxDelay: number;
  /** The share of a wait that is drawn at random, so that many clients do not come back in step; 0 to 1. Default 0.4. */
  jitter: number;
  /** For how long a lost connection is sought. Default 60000. */
  giveUpAfter: number;
  /** For how long a first connection is tried. Default 20000. */
  giveUpConnectingAfter: number;
  /** Draws from 0 to 1. Default `Math.random`. */
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

/** The usual policy: at once, then ever more slowly, with jitter, until a time limit. */
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
      // The last attempt falls on the limit itself, so that the whole time allowed is used.
      return Math.min(full * (1 - jitter * random()), limit - elapsed);
    },
  };
}

/** Never tries again: the first loss is final. */
export const noReconnect: ReconnectPolicy = { nextDelay: () => undefined };
