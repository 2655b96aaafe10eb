import { CdpError, type CdpSession } from '../cdp/cdp-session.js';
import type { FocusedField } from './focused-field.js';

/**
 * Timeout for a late answer. An answer within this time shows that the page works again. After this time, the
 * page counts as silent until it is reloaded. Callers use much shorter timeouts.
 */
const ANSWER_TIMEOUT_MS = 600_000;

/**
 * Reason why a frame has not answered: it did not answer in time, it waits for a dialog to be closed, or it
 * is gone.
 */
export type NoAnswerReason = 'silent' | 'dialog' | 'gone';

/** The script in one frame. It runs in an isolated world, which the page's scripts cannot see. */
export class FrameWorld {
  /** The last answer of the script about the focused field. */
  field: FocusedField | undefined;
  /** Number of calls that were not answered in time. */
  #overdue = 0;

  /**
   * @param context the id of the world's execution context
   * @param top true if the frame has no frame around it
   * @param guard the script's global name
   */
  constructor(
    readonly session: CdpSession,
    readonly context: number,
    readonly top: boolean,
    readonly guard: string,
  ) {}

  /**
   * Calls the script. If an earlier call missed its timeout, this method sends no other call until that call
   * is answered.
   */
  async ask(call: string, limitMs: number): Promise<{ value: unknown } | NoAnswerReason> {
    if (this.session.inDialog) return 'dialog';
    return this.#overdue > 0 ? 'silent' : this.order(call, limitMs);
  }

  /**
   * Calls the script even if an earlier call missed its timeout. Used for commands that must reach the
   * script. After a missed timeout, this method sends the call and does not wait for the answer.
   *
   * @param onDone called when the script has executed the call or is gone, even after a long time
   */
  async order(
    call: string,
    limitMs: number,
    onDone: () => void = () => undefined,
  ): Promise<{ value: unknown } | NoAnswerReason> {
    const answer = this.#call(call);
    let late = this.#overdue > 0;
    if (late) this.#overdue += 1;
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<NoAnswerReason>((resolve) => {
      if (late) return resolve('silent');
      timer = setTimeout(() => {
        late = true;
        this.#overdue += 1;
        resolve('silent');
      }, limitMs);
    });
    void answer.then((said) => {
      clearTimeout(timer);
      if (said === 'silent') return;
      if (late) this.#overdue -= 1;
      onDone();
    });
    return Promise.race([answer, deadline]);
  }

  async #call(call: string): Promise<{ value: unknown } | NoAnswerReason> {
    const expression = `globalThis[${JSON.stringify(this.guard)}].${call}`;
    try {
      const { result, exceptionDetails } = await this.session.send(
        'Runtime.evaluate',
        { expression, contextId: this.context, returnByValue: true },
        ANSWER_TIMEOUT_MS,
      );
      // An exception means that the frame is gone. The id of its context may belong to another world by now.
      return exceptionDetails ? 'gone' : { value: result.value };
    } catch (error) {
      return error instanceof CdpError && error.reason === 'timed-out' ? 'silent' : 'gone';
    }
  }
}
