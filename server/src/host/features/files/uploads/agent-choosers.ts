import type { Clock, Timer } from '../../../../platform/time/clock.js';
import type { PageChooser } from '../../../browser/files/choosers.js';
import { CallError } from '../../../room/calls/call-error.js';
import { CHOOSER_TIMEOUT_MS } from './open-choosers.js';

/** File choosers that agents have opened. Each agent has at most one: the newest. */
export class AgentChoosers {
  readonly #open = new Map<string, { page: PageChooser; until: number }>();
  readonly #waiting = new Map<string, Set<(page: PageChooser) => void>>();

  constructor(private readonly clock: Pick<Clock, 'now' | 'setTimeout'>) {}

  get any(): boolean {
    return this.#open.size > 0;
  }

  /** Opens a chooser for an agent. An earlier chooser of this agent gets an empty choice. */
  open(agent: string, page: PageChooser): void {
    this.#cancel(agent);
    this.#open.set(agent, { page, until: this.clock.now() + CHOOSER_TIMEOUT_MS });
    void page.gone.then(() => {
      if (this.#open.get(agent)?.page === page) this.#open.delete(agent);
    });
    for (const resolve of this.#waiting.get(agent) ?? []) resolve(page);
  }

  /**
   * Resolves to the chooser of an agent. Rejects with {@link CallError} if none opens in time.
   *
   * @param leaving aborted with an error when nobody waits for the chooser any more
   */
  async wait(agent: string, milliseconds: number, leaving?: AbortSignal): Promise<PageChooser> {
    leaving?.throwIfAborted();
    const open = this.#open.get(agent);
    if (open) return open.page;
    const waiting = this.#waiting.get(agent) ?? new Set();
    this.#waiting.set(agent, waiting);
    let timer: Timer | undefined;
    let opened: (page: PageChooser) => void = () => undefined;
    let leave: () => void = () => undefined;
    try {
      return await new Promise<PageChooser>((resolve, reject) => {
        opened = resolve;
        waiting.add(opened);
        leave = () => reject(leaving?.reason as Error);
        leaving?.addEventListener('abort', leave);
        timer = this.clock.setTimeout(() => reject(chooserGone()), milliseconds);
      });
    } finally {
      timer?.cancel();
      leaving?.removeEventListener('abort', leave);
      waiting.delete(opened);
      if (waiting.size === 0) this.#waiting.delete(agent);
    }
  }

  /**
   * Applies the timeout. Call it once a second while a chooser is open.
   *
   * @param isHere true if an agent has not left and may still choose
   */
  look(isHere: (agent: string) => boolean): void {
    const now = this.clock.now();
    for (const [agent, { until }] of this.#open) if (now >= until || !isHere(agent)) this.#cancel(agent);
  }

  /** Closes all choosers, because the session or its browser ends. */
  close(): void {
    for (const agent of [...this.#open.keys()]) this.#cancel(agent);
  }

  #cancel(agent: string): void {
    const open = this.#open.get(agent);
    if (!open) return;
    this.#open.delete(agent);
    void open.page.cancel().catch(() => undefined);
    open.page.close();
  }
}

/** Returns the error for a page that does not wait for files of the program. */
export function chooserGone(): CallError {
  return new CallError(
    'err_chooser_gone',
    'No page waits for files of this program. Click the file field of the page first.',
  );
}
