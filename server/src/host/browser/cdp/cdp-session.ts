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
/** What the browser answers to a command. */
export type CdpResult<M extends CdpMethod> = Commands[M]['returnType'];
type Listener<E extends keyof Events> = (params: Events[E] extends [infer Params] ? Params : object) => void;

/** What carries the messages of all sessions. */
export interface CdpTransport {
  /** What was not waited for any longer is counted here. */
  readonly drops: DropCounter;
  /** Sends a command; its number. */
  write(method: string, params: object, sessionId: string): number;
}

interface Call {
  method: string;
  urgent: boolean;
  timer: NodeJS.Timeout;
  resolve: (result: never) => void;
  reject: (error: CdpError) => void;
}

/** The browser, or a page or worker that we are attached to. Every command is answered, or fails by its deadline. */
export class CdpSession {
  #end: (reason: CdpFailure) => void = () => undefined;
  /** Resolves when no command can be sent any more. */
  readonly ended = new Promise<CdpFailure>((resolve) => (this.#end = resolve));
  readonly #calls = new Map<number, Call>();
  readonly #listeners = new Map<string, Set<(params: never) => void>>();
  #over: CdpFailure | undefined;
  /** The urgent command that missed its deadline; until the target answers one, it counts as unresponsive. */
  #overdue: number | undefined;
  #inDialog = false;

  /** @param id as the browser names it; empty for the browser itself */
  constructor(
    private readonly transport: CdpTransport,
    readonly id: string,
  ) {}

  /** A dialog of the page is open: the page answers nothing before that is closed. Known where the domain `Page` is enabled. */
  get inDialog(): boolean {
    return this.#inDialog;
  }

  /**
   * Sends one command. Rejects with {@link CdpError} when it fails.
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
   * Sends a command that the input of all users waits for. A target that missed the deadline of one is not waited for again before
   * it has answered, nor is one whose page has a dialog open: commands reach it, and reject at once.
   */
  sendUrgent<M extends CdpMethod>(method: M, params: CdpParams<M>): Promise<CdpResult<M>> {
    const answer = this.#call(method, params, timeoutOf(method), true);
    if (this.#overdue === undefined && !this.#inDialog) return answer;
    answer.catch(() => undefined);
    return Promise.reject(new CdpError(method, this.#inDialog ? 'dialog' : 'timed-out'));
  }

  /** Sends a command whose failure does not matter: the target may be gone by the time it arrives. */
  post<M extends CdpMethod>(method: M, params: CdpParams<M>): void {
    this.send(method, params).catch(() => undefined);
  }

  /** Listens to an event, for as long as the session lasts; what it returns ends that earlier. */
  on<E extends keyof Events>(event: E, listener: Listener<E>): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** For the connection: a message of this session. False for an answer to another session's command. */
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

  /** For the connection: the command of this number, which waits for its answer; undefined for another session's. */
  methodOf(id: number): string | undefined {
    return this.#calls.get(id)?.method;
  }

  /** For the connection: the answer to this command is too large to be read. */
  passOver(id: number): void {
    const call = this.#calls.get(id);
    this.#forget(id);
    call?.reject(new CdpError(call.method, 'too-large'));
  }

  /** For the connection: nothing can be sent any more. */
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
    // A key's own listener may have opened it: the key is done, and its answer comes when the dialog is closed.
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
        // A late answer tells that the target responds again.
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
 * Why a command has no answer: the browser said no, did not answer before the deadline, answered far too much, let go of the target (a page that was
 * closed, a worker that stopped), lost the target's process, or is gone itself.
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

/** A command of the Chrome DevTools Protocol that failed. */
export class CdpError extends Error {
  readonly code = 'err_browser_command';

  /** @param detail what the browser said, if it said anything */
  constructor(
    readonly method: string,
    readonly reason: CdpFailure,
    detail = SENTENCES[reason],
  ) {
    super(`${method}: ${detail}`);
    this.name = 'CdpError';
  }
}
