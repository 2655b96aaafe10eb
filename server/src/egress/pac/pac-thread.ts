import { Worker } from 'node:worker_threads';
import type { FromPacThread, PacThreadData, ToPacThread } from './pac-program.js';
import { RouteError } from '../route.js';

/** Maximum number of names that a script may look up for one answer. */
const MAX_LOOKUPS = 32;
/** Megabytes of JavaScript memory for the thread, in addition to the script's own memory. */
const HEAP_MB = 64;

interface Waiting {
  resolve(answer: string): void;
  reject(error: Error): void;
}

/**
 * One customer's proxy script in its own thread. The engine cannot interrupt some operations, for example a
 * long search in a text. In a separate thread, such an operation blocks no other session, and ends when the
 * thread is terminated.
 */
export class PacThread {
  readonly #thread: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  /**
   * Remaining lookups for all open requests together. They share one count, because the message for a lookup
   * does not say which request needs it.
   */
  #lookupsLeft = 0;
  /** Number of lookups that are not answered yet. */
  #lookupsOpen = 0;
  #failure: Error | undefined;

  /**
   * @param program the bundled text of `pac-program.ts`
   * @param lookUp returns the IPv4 address of a name, or null if there is none
   */
  constructor(
    program: string,
    data: PacThreadData,
    private readonly lookUp: (host: string) => Promise<string | null>,
  ) {
    this.#thread = new Worker(program, {
      eval: true,
      env: {},
      execArgv: [],
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    this.#thread.unref();
    this.#thread.on('message', (message: FromPacThread) => void this.#onMessage(message));
    this.#thread.once('error', (error) => this.#end(error));
    this.#thread.once('exit', () => this.#end(new Error('it ended')));
  }

  /** True if the script has ended and returns no more answers. */
  get ended(): boolean {
    return this.#failure !== undefined;
  }

  /** True if the script may be waiting for a name server. */
  get isLookingUp(): boolean {
    return this.#lookupsOpen > 0;
  }

  /**
   * Returns the script's answer for an address. Rejects with the script's error, or if the script was ended.
   */
  find(url: string): Promise<string> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = ++this.#last;
    if (this.#waiting.size === 0) this.#lookupsLeft = 0;
    this.#lookupsLeft += MAX_LOOKUPS;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#notify({ type: 'find', id, url });
    });
  }

  /** Ends the script, even while it runs. */
  close(): void {
    this.#end(new RouteError('The proxy script of this session was ended.'));
    void this.#thread.terminate();
  }

  async #onMessage(message: FromPacThread): Promise<void> {
    if (message.type === 'lookUp') {
      this.#lookupsLeft -= 1;
      this.#lookupsOpen += 1;
      const address = this.#lookupsLeft < 0 ? null : await this.lookUp(message.host);
      this.#lookupsOpen -= 1;
      this.#notify({ type: 'address', id: message.id, address });
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.type === 'found') waiting?.resolve(message.answer);
    else waiting?.reject(new Error(message.message));
  }

  #notify(message: ToPacThread): void {
    this.#thread.postMessage(message);
  }

  #end(error: Error): void {
    this.#failure ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#failure);
    this.#waiting.clear();
  }
}
