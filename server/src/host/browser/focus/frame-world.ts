import { CdpError, type CdpSession } from '../cdp/cdp-session.js';
import type { FocusedField } from './focused-field.js';

/** A page that answers again after less is noticed; after more it counts as silent until it is loaded again. Who asks waits far less. */
const ANSWER_TIMEOUT_MS = 600_000;

/** Why a frame has not said anything: it does not answer in time, it waits for a dialog to be closed, or it is not there any more. */
export type Wordless = 'silent' | 'dialog' | 'gone';

/** Our script in one frame: a world of its own, which the page's scripts cannot see. */
export class FrameWorld {
  /** What it said last. */
  field: FocusedField | undefined;
  /** Calls that were not answered in time. */
  #overdue = 0;

  /**
   * @param context the world, as the browser numbers it
   * @param top the frame has none around it
   * @param guard the script's global name
   */
  constructor(
    readonly session: CdpSession,
    readonly context: number,
    readonly top: boolean,
    readonly guard: string,
  ) {}

  /** Calls the script; one that has not answered in time is not asked again before it has. */
  async ask(call: string, limitMs: number): Promise<{ value: unknown } | Wordless> {
    if (this.session.inDialog) return 'dialog';
    return this.#overdue > 0 ? 'silent' : this.order(call, limitMs);
  }

  /**
   * Calls the script, also when it has not answered before: what it is told must reach it. Not waited for then.
   *
   * @param onDone called when the script has done it, or is gone, however late
   */
  async order(
    call: string,
    limitMs: number,
    onDone: () => void = () => undefined,
  ): Promise<{ value: unknown } | Wordless> {
    const answer = this.#call(call);
    let late = this.#overdue > 0;
    if (late) this.#overdue += 1;
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<Wordless>((resolve) => {
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

  async #call(call: string): Promise<{ value: unknown } | Wordless> {
    const expression = `globalThis[${JSON.stringify(this.guard)}].${call}`;
    try {
      const { result, exceptionDetails } = await this.session.send(
        'Runtime.evaluate',
        { expression, contextId: this.context, returnByValue: true },
        ANSWER_TIMEOUT_MS,
      );
      // The number is another world's by now.
      return exceptionDetails ? 'gone' : { value: result.value };
    } catch (error) {
      return error instanceof CdpError && error.reason === 'timed-out' ? 'silent' : 'gone';
    }
  }
}
