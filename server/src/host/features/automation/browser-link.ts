import type { CdpConnection } from '../../browser/cdp/cdp-connection.js';
import type { RawListener, RawMessage, RawSessions } from '../../browser/cdp/raw-sessions.js';
import { errorText, type ClientCommand } from './commands/messages.js';
import { isRecord } from '../../../platform/is-record.js';
import type { TimeBudget } from '../../../platform/rates/time-budget.js';
import { PendingCommands } from './commands/pending-commands.js';

/** A command as it is sent to the browser. */
export interface BrowserCommand {
  method: string;
  params: object;
  /** Id of the CDP session with the browser or a target. */
  sessionId: string;
}

/** Result of a command. */
export type Answer = Readonly<Record<string, unknown>>;

/** Receiver of the browser's messages for one program. */
export interface LinkListener {
  /** Called with the text of an answer for the program, and the command that it answers. */
  onAnswer(text: string, command: ClientCommand): void;
  /** Called with an event of one of the program's CDP sessions. */
  onEvent(message: RawMessage): void;
  /** Called when the browser has ended. */
  onClosed(): void;
}

/** Returns the last characters of a message that belongs to a CDP session. */
const sessionEnd = (sessionId: string) => `,"sessionId":"${sessionId}"}`;

/**
 * Connection of one program to the browser. The program has CDP sessions of its own. When its session with
 * the browser ends, Chromium undoes what the program has set: interception, emulation, bindings and attached
 * sessions.
 */
export class BrowserLink implements RawListener {
  readonly pending: PendingCommands;
  readonly #raw: RawSessions;
  #closed = false;

  private constructor(
    private readonly cdp: CdpConnection,
    /** Id of the program's session with the browser. */
    readonly root: string,
    private readonly listener: LinkListener,
    largeTime: TimeBudget,
  ) {
    this.pending = new PendingCommands(largeTime);
    this.#raw = cdp.raw(this);
    this.#raw.own(root);
  }

  /**
   * Opens a session with the browser. Rejects with `CdpError`.
   *
   * @param largeTime time that the browser may spend on the large answers of all programs together
   */
  static async open(cdp: CdpConnection, listener: LinkListener, largeTime: TimeBudget): Promise<BrowserLink> {
    const { sessionId } = await cdp.browser.send('Target.attachToBrowserTarget', {});
    return new BrowserLink(cdp, sessionId, listener, largeTime);
  }

  /** Receives the messages of a CDP session from now on. */
  own(sessionId: string): void {
    this.#raw.own(sessionId);
  }

  /** Forgets a CDP session that has ended. */
  disown(sessionId: string): void {
    this.#raw.disown(sessionId);
    this.pending.drop(sessionId);
  }

  /**
   * Sends a command. The program receives the browser's answer.
   *
   * @param command the program's command
   * @param sent the form of the command that the browser receives
   * @param size characters of the command
   * @returns a promise that resolves when the command was answered, or when no answer can arrive any more.
   *   Rejects with `RangeError` if the command is too large for the browser
   */
  forward(command: ClientCommand, sent: BrowserCommand, size: number): Promise<void> {
    return this.#send(sent, command, size);
  }

  /** Sends a command of the `Relay` itself, which the program has not sent. Ignores the answer. */
  post(method: string, params: object, sessionId: string): void {
    void this.ask(method, params, sessionId);
  }

  /**
   * Sends a command of the `Relay` itself, which the program has not sent. Resolves when it was answered, or
   * when no answer can arrive any more.
   */
  ask(method: string, params: object, sessionId: string): Promise<void> {
    return this.#send({ method, params, sessionId }, undefined, 0);
  }

  /**
   * Sends a command of the `Relay` itself. Resolves to its result, or to undefined if the browser refused the
   * command or cannot answer it any more.
   */
  async query(method: string, params: object, sessionId: string): Promise<Answer | undefined> {
    const answered: { text?: string } = {};
    const command = { method, params, sessionId };
    await this.#send(command, undefined, 0, (text) => (answered.text = text));
    return answered.text === undefined ? undefined : resultOf(answered.text);
  }

  /** Ends the program's CDP sessions. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#raw.close();
    this.pending.clear();
    this.cdp.browser.post('Target.detachFromTarget', { sessionId: this.root });
  }

  onMessage(message: RawMessage): void {
    const { id, text } = message;
    if (id === undefined) {
      this.listener.onEvent(message);
      return;
    }
    const pending = this.pending.take(id, text.length);
    pending?.onAnswer?.(text);
    if (!pending?.command) return;
    const { command, sessionId } = pending;
    const rest = text.slice(`{"id":${id},`.length);
    const end = sessionEnd(sessionId);
    // The answer must name the session in which the program sent the command.
    const body = rest.endsWith(end) ? rest.slice(0, -end.length) : rest.slice(0, -1);
    const own = command.sessionId === undefined ? '}' : sessionEnd(command.sessionId);
    this.listener.onAnswer(`{"id":${command.id},${body}${own}`, command);
  }

  onTooLarge(id: number): void {
    const command = this.pending.take(id)?.command;
    if (command)
      this.listener.onAnswer(errorText(command, 'refused', 'The answer is larger than 100 MB.'), command);
  }

  onClosed(): void {
    this.pending.clear();
    this.listener.onClosed();
  }

  #send(
    { method, params, sessionId }: BrowserCommand,
    command: ClientCommand | undefined,
    size: number,
    onAnswer?: (text: string) => void,
  ): Promise<void> {
    return new Promise((settle) => {
      const id = this.#raw.send(method, params, sessionId);
      if (id === undefined) settle();
      else this.pending.add(id, { command, sessionId, size, settle, onAnswer });
    });
  }
}

/** Returns the result in the text of an answer. Returns undefined for an error. */
export function resultOf(text: string): Answer | undefined {
  const message: unknown = JSON.parse(text);
  const result = isRecord(message) ? message['result'] : undefined;
  return isRecord(result) ? result : undefined;
}
