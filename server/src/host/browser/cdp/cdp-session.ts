import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import type { CdpMessage } from './cdp-message.js';
import type { DropCounter } from './drop-counter.js';
import { timeoutOf } from './timeouts.js';

type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;

/** A command's name. */
export type CdpMethod = keyof Commands;
/** A command's parameters. */
export type CdpParams<M extends CdpMethod> = Commands[M]['paramsType'] extends []
  ? Record<string, never>
  : Commands[M]['paramsType'] extends [(infer Params)?]
    ? Params
    : never;
/** Type of the browser's answer to a command. */
export type CdpResult<M extends CdpMethod> = Commands[M]['returnType'];
type Listener<E extends keyof Events> = (params: Events[E] extends [infer Params] ? Params : object) => void;

/** The transport that carries the messages of all sessions. */
export interface CdpTransport {
  /** Counts commands that got no answer before their deadline. */
  readonly drops: DropCounter;
  /** Sends a command and returns its id. */
  write(method: string, params: object, sessionId: string): number;
}

interface Call {
  method: string;
  urgent: boolean;
  timer: NodeJS.Timeout;
  resolve: (result: never) => void;
  reject: (error: CdpError) => void;
}

/**
 * DevTools session with the browser, or with a page or worker to which the host is attached. Every command
 * gets an answer or fails at its deadline.
 */
export class CdpSession {
  #end: (reason: CdpFailure) => void = () => undefined;
  /** Resolves to the reason when the session ends. After that, no command can be sent. */
  readonly ended = new Promise<CdpFailure>((resolve) => (this.#end = resolve));
  readonly #calls = new Map<number, Call>();
  readonly #listeners = new Map<string, Set<(params: never) => void>>();
  #over: CdpFailure | undefined;
  /**
   * Id of the urgent command that missed its deadline. The target counts as unresponsive until it answers an
   * urgent command.
   */
  #overdue: number | undefined;
  #inDialog = false;

  /** @param id id of the session in the browser; empty for the browser itself */
  constructor(
    private readonly transport: CdpTransport,
    readonly id: string,
  ) {}

  /**
   * True while the page has a dialog open. The page answers nothing until the dialog is closed. Known only if
   * the domain `Page` is enabled.
   */
  get inDialog(): boolean {
    return this.#inDialog;
  }

  /**
   * Sends one command. Rejects with {@link CdpError} if it fails.
   *
   * @param timeoutMs milliseconds to wait for the answer
   */
  send<M extends CdpMethod>(
    method: M,
    params: CdpParams<M>,
    timeoutMs = timeoutOf(method),
  ): Promise<CdpResult<M>> {
    return this.#call(method, params, timeoutMs, false);
  }

  /**
   * Sends a command while the input of all users waits for its answer. The command is always sent, but the
   * promise rejects at once in two cases: an earlier urgent command missed its deadline, or the page has a
   * dialog open. The first case ends when the target answers an urgent command, the second when the dialog is
   * closed.
   */
  sendUrgent<M extends CdpMethod>(method: M, params: CdpParams<M>): Promise<CdpResult<M>> {
    const answer = this.#call(method, params, timeoutOf(method), true);
    if (this.#overdue === undefined && !this.#inDialog) return answer;
    answer.catch(() => undefined);
    return Promise.reject(new CdpError(method, this.#inDialog ? 'dialog' : 'timed-out'));
  }

  /** Sends a command whose failure does not matter. The target may be gone when it arrives. */
  post<M extends CdpMethod>(method: M, params: CdpParams<M>): void {
    this.send(method, params).catch(() => undefined);
  }

  /**
   * Sends a command whose effect must last as long as the target. If the target crashes before it answers,
   * sends the command again when the browser has loaded the target again. The browser itself repeats only
   * commands that were answered. Resolves when the target has answered, has crashed or has ended, or at the
   * deadline.
   */
  async prepare<M extends CdpMethod>(method: M, params: CdpParams<M>): Promise<void> {
    try {
      await this.send(method, params);
    } catch (error) {
      if (!(error instanceof CdpError && error.reason === 'crashed')) return;
      const stop = this.on('Inspector.targetReloadedAfterCrash', () => {
        stop();
        void this.prepare(method, params);
      });
    }
  }

  /** Listens to an event until the session ends. Returns a function that stops listening. */
  on<E extends keyof Events>(event: E, listener: Listener<E>): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /**
   * Handles a message of this session. Returns false for an answer to another session's command. Called by
   * the connection.
   */
  take(message: CdpMessage): boolean {
    if (message.id === undefined) {
      this.#followDialog(message.method);
      for (const listener of this.#listeners.get(message.method) ?? []) listener(message.params);
      if (message.method === 'Inspector.targetCrashed') this.#rejectAll('crashed');
      return true;
    }
    const call = this.#calls.get(message.id);
    if (!call) return false;
    this.#forget(message.id);
    if (call.urgent && this.#overdue !== undefined) {
      this.#forget(this.#overdue);
      this.#overdue = undefined;
    }
    if (message.error) call.reject(new CdpError(call.method, 'refused', message.error.message));
    else call.resolve(message.result);
    return true;
  }

  /**
   * Returns the method of a command that waits for its answer; undefined if the command belongs to another
   * session. Called by the connection.
   */
  methodOf(id: number): string | undefined {
    return this.#calls.get(id)?.method;
  }

  /** Rejects a command whose answer was too large. Called by the connection. */
  passOver(id: number): void {
    const call = this.#calls.get(id);
    this.#forget(id);
    call?.reject(new CdpError(call.method, 'too-large'));
  }

  /** Ends the session: no more commands can be sent. Called by the connection. */
  end(reason: CdpFailure): void {
    this.#over ??= reason;
    this.#rejectAll(reason);
    this.#listeners.clear();
    this.#end(reason);
  }

  #followDialog(event: string): void {
    if (event === 'Page.javascriptDialogClosed' || event === 'Inspector.targetCrashed')
      this.#inDialog = false;
    if (event !== 'Page.javascriptDialogOpening') return;
    this.#inDialog = true;
    // The page's listener for a key event may have opened the dialog. Then the page has handled the key, but
    // answers only after the dialog is closed.
    this.#rejectAll('dialog', ({ urgent }) => urgent);
  }

  #call<M extends CdpMethod>(
    method: M,
    params: CdpParams<M>,
    timeoutMs: number,
    urgent: boolean,
  ): Promise<CdpResult<M>> {
    if (this.#over) return Promise.reject(new CdpError(method, this.#over));
    const id = this.transport.write(method, params ?? {}, this.id);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // Keeps the first overdue command, because its late answer shows that the target responds again.
        if (urgent && this.#overdue === undefined) this.#overdue = id;
        else this.#calls.delete(id);
        this.transport.drops.add(method, `no answer within ${timeoutMs} ms`);
        reject(new CdpError(method, 'timed-out'));
      }, timeoutMs);
      this.#calls.set(id, { method, urgent, timer, resolve, reject });
    });
  }

  #forget(id: number): void {
    clearTimeout(this.#calls.get(id)?.timer);
    this.#calls.delete(id);
  }

  #rejectAll(reason: CdpFailure, which: (call: Call) => boolean = () => true): void {
    this.#overdue = undefined;
    for (const [id, call] of this.#calls) {
      if (!which(call)) continue;
      this.#forget(id);
      call.reject(new CdpError(call.method, reason));
    }
  }
}

/**
 * Reason why a command failed.
 *
 * - `refused`: the browser refused the command
 * - `timed-out`: no answer arrived before the deadline
 * - `too-large`: the answer was too large
 * - `dialog`: the page has a dialog open
 * - `detached`: the page was closed, or the worker stopped
 * - `crashed`: the process of the page or worker crashed
 * - `closed`: the connection to the browser is closed
 */
export type CdpFailure = 'refused' | 'timed-out' | 'too-large' | 'dialog' | 'detached' | 'crashed' | 'closed';

const SENTENCES: Record<CdpFailure, string> = {
  refused: 'the browser refused',
  'timed-out': 'there was no answer in time',
  'too-large': 'the answer is too large to be read',
  dialog: 'the page has a dialog open',
  detached: 'the page or the worker ended',
  crashed: 'the page or the worker ended in a crash',
  closed: 'the browser is gone',
};

/** Error of a Chrome DevTools Protocol command that failed. */
export class CdpError extends Error {
  readonly code = 'err_browser_command';

  /** @param detail the browser's message, if it sent one */
  constructor(
    readonly method: string,
    readonly reason: CdpFailure,
    detail = SENTENCES[reason],
  ) {
    super(`${method}: ${detail}`);
    this.name = 'CdpError';
  }
}
