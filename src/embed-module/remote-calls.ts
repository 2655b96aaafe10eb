import { CallError, type CallOptions, type Remote } from '../core/index.js';
import type { Viewer } from '../viewer/index.js';
import { isSessionEvent, isSessionMethod, type SessionEvent, type SessionMethod } from '../protocol/index.js';
import type { Answer, CallMessage, FromEmbed } from './messages.js';
import { takeScreenshot } from './screenshot.js';

/** Default time for which the public client (`@hyperbeam/web`) waits for an answer, in milliseconds. */
const CLIENT_CALL_TIMEOUT_MS = 5_000;

/** Methods without a result. Their answer contains `true`, because the public client expects a boolean. */
const CONFIRMED: ReadonlySet<SessionMethod> = new Set([
  'resize',
  'setPermissions',
  'addRoles',
  'removeRoles',
  'enablePrivacyMode',
  'disablePrivacyMode',
] satisfies SessionMethod[]);

interface Listening {
  event: SessionEvent;
  listener: (...args: unknown[]) => void;
}

/**
 * Connects the calls and listeners of the public client to those of the session. Drops late answers. The
 * public client reuses the number of a call after its timeout, so a late answer would answer another call.
 */
export class RemoteCalls {
  /** Listeners by the number that the client chose. */
  readonly #listening = new Map<number, Listening>();
  readonly #remote: Remote;
  #knowsRestarts = false;

  constructor(
    private readonly viewer: Viewer,
    private readonly post: (message: FromEmbed) => void,
    private readonly timeoutMs = CLIENT_CALL_TIMEOUT_MS,
  ) {
    this.#remote = viewer.client.remote;
  }

  /** Performs a call and answers it. */
  async perform({ m: method, a: args, i, t: adminToken }: CallMessage): Promise<void> {
    const start = performance.now();
    const [, event, action] = /^(.+)\.(addListener|removeListener)$/.exec(method) ?? [];
    const inTime = (): boolean => performance.now() - start < this.timeoutMs;
    try {
      if (event === undefined) {
        const r = await this.#call(method, args, { adminToken });
        if (inTime()) this.post({ i, r });
      } else if (action === 'addListener') {
        if (!isSessionEvent(event)) throw new CallError('err_unknown_event', `There is no event ${event}.`);
        await this.#listen(event, i, inTime);
      } else {
        this.#forget(Number(args[0]));
        this.post({ i, r: undefined });
      }
    } catch (error) {
      const answer: Answer = { i, e: error instanceof Error ? error.message : String(error) };
      if (inTime()) this.post(answer);
    }
  }

  close(): void {
    for (const id of [...this.#listening.keys()]) this.#forget(id);
    this.#remote.unsubscribe('tabs.onReconnected', this.#restarted);
  }

  async #call(method: string, args: readonly unknown[], options: CallOptions): Promise<unknown> {
    if (method === 'screenshot') {
      // The picture is sent in its own message, before the answer to the call. The answer has no result.
      this.post(await takeScreenshot(this.viewer, args[0], options));
      return undefined;
    }
    if (!isSessionMethod(method)) throw new CallError('err_unknown_method', `There is no method ${method}.`);
    const result = await this.#remote.forward(method, args, options);
    return CONFIRMED.has(method) ? true : result;
  }

  /**
   * Adds a listener. The client expects an acknowledgement as the first message to a listener. So events that
   * arrive earlier wait.
   */
  async #listen(event: SessionEvent, i: number, inTime: () => boolean): Promise<void> {
    this.#forget(i);
    let waiting: unknown[][] | undefined = [];
    const listener: Listening['listener'] = (...args) => {
      if (waiting) waiting.push(args);
      else this.post({ i, r: args });
    };
    this.#listening.set(i, { event, listener });
    await this.#remote.subscribe(event, listener);
    if (this.#listening.get(i)?.listener !== listener) return;
    if (!inTime()) {
      this.#forget(i);
      return;
    }
    this.post({ i, r: undefined });
    const early = waiting;
    waiting = undefined;
    for (const args of early) listener(...args);
    this.#followRestarts();
  }

  #forget(i: number): void {
    const listening = this.#listening.get(i);
    if (!listening) return;
    this.#listening.delete(i);
    this.#remote.unsubscribe(listening.event, listening.listener);
  }

  #followRestarts(): void {
    if (this.#knowsRestarts) return;
    this.#knowsRestarts = true;
    // Ignores a refusal, because older sessions do not have this event.
    this.#remote.subscribe('tabs.onReconnected', this.#restarted).catch(() => undefined);
  }

  /** Tells the client to add all of its listeners again. */
  readonly #restarted = (): void => {
    for (const id of [...this.#listening.keys()]) this.#forget(id);
    this.post({ type: 'ext_reconn' });
  };
}
