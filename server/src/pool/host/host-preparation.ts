import type { HostSession } from '../../host-protocol.js';
import type { Clock } from '../../platform/time/clock.js';
import type { SessionGroup } from '../groups/session-group.js';

/** Longest time in milliseconds from the message `prepare` to the message `prepared`. */
export const PREPARE_TIMEOUT_MS = 30_000;

/** The host whose browser is prepared. */
export interface PreparedHost {
  clock: Clock;
  group: Pick<SessionGroup, 'setShare'>;
  /** Resolves when the host can receive the message `prepare`. Rejects if the host has failed. */
  ready: Promise<void>;
  /** Resolves to a sentence about the end of the host. */
  gone: Promise<string>;
  /**
   * Sends the message `prepare`. The caller passes the host's answers to {@link HostPreparation.answered}.
   */
  order: (session: HostSession) => void;
  /** Called when the browser has ended after it was prepared. */
  onEnded: (problem: string) => void;
}

/** Starts a browser in a host that has no session yet. */
export class HostPreparation {
  #onAnswer: (problem?: string) => void = () => undefined;

  constructor(private readonly host: PreparedHost) {}

  /**
   * Resolves to undefined when the browser is ready for a session. Resolves to a sentence about the problem
   * if the browser does not start, or not in time. Rejects if {@link PreparedHost.ready} rejects.
   *
   * @param share share of the processor until the session starts
   */
  async run(session: HostSession, share: 'usual' | 'waiting'): Promise<string | undefined> {
    const { clock, group } = this.host;
    group.setShare(share);
    // After half of the timeout, the browser gets the usual share of the processor, so that it does not fail
    // on a busy machine.
    const enough = clock.setTimeout(() => group.setShare('usual'), PREPARE_TIMEOUT_MS / 2);
    try {
      return await this.#run(session);
    } finally {
      enough.cancel();
    }
  }

  /** Handles an answer of the host. `problem`: reason why the browser did not start or has ended. */
  answered(problem?: string): void {
    this.#onAnswer(problem);
  }

  async #run(session: HostSession): Promise<string | undefined> {
    const { clock, ready, gone, order, onEnded } = this.host;
    await ready;
    let first = true;
    const prepared = new Promise<string | undefined>((resolve) => {
      this.#onAnswer = (problem) => {
        if (first) resolve(problem);
        else if (problem !== undefined) onEnded(problem);
        first = false;
      };
    });
    const timer = clock.setTimeout(() => this.#onAnswer('it takes too long.'), PREPARE_TIMEOUT_MS);
    order(session);
    const problem = await Promise.race([prepared, gone]);
    timer.cancel();
    return problem;
  }
}
