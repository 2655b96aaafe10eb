import type { Duplex } from 'node:stream';
import { answerLimitOf, MAX_MESSAGE_BYTES, MAX_RAW_ANSWER_BYTES } from './answer-limits.js';
import { CdpInbox, type MessageHead } from './cdp-inbox.js';
import { readMessage, type CdpMessage } from './cdp-message.js';
import { CdpSession, type CdpTransport } from './cdp-session.js';
import { DropCounter } from './drop-counter.js';
import { RawSessions, readRaw, type RawListener, type RawTransport } from './raw-sessions.js';

/** Maximum number of bytes that a UTF-16 unit of a text has in UTF-8. */
const MAX_CHAR_BYTES = 3;

/**
 * The Chrome DevTools Protocol over the pipe of `--remote-debugging-pipe`: JSON messages, each ended by a NUL
 * byte. Only this process can reach the pipe. The browser ends when the pipe is closed.
 */
export class CdpConnection implements CdpTransport, RawTransport {
  #nextId = 1;
  #closed = false;
  /** Called with the name of an event that was skipped because it is too large. */
  onEventLost: (event: string) => void = () => undefined;
  readonly #sessions = new Map<string, CdpSession>();
  readonly #raw = new Set<RawSessions>();
  /** The CDP session with the browser itself, not with a page. */
  readonly browser = this.session('');

  constructor(
    private readonly toBrowser: Duplex,
    private readonly fromBrowser: Duplex,
    readonly drops = new DropCounter(),
  ) {
    const inbox = new CdpInbox({
      onMessage: (text) => this.#onText(text),
      onTooLarge: (head) => this.#onTooLarge(head),
      limitOf: (head) => this.#limitOf(head),
    });
    fromBrowser.on('data', (chunk: Buffer) => inbox.take(chunk));
    fromBrowser.once('close', () => this.close());
    for (const stream of [toBrowser, fromBrowser]) stream.on('error', () => this.close());
  }

  /** Returns the session with a target, by the session id that the browser assigned. */
  session(id: string): CdpSession {
    const known = this.#sessions.get(id);
    if (known) return known;
    const session = new CdpSession(this, id);
    this.#sessions.set(id, session);
    this.#follow(session);
    if (this.#closed) session.end('closed');
    return session;
  }

  /** Returns an object for CDP sessions whose messages are passed on as text, without parsing. */
  raw(listener: RawListener): RawSessions {
    const raw = new RawSessions(this, listener);
    if (this.#closed) raw.end();
    else this.#raw.add(raw);
    return raw;
  }

  /** @internal Stops routing messages to raw sessions. */
  release(raw: RawSessions): void {
    this.#raw.delete(raw);
  }

  /** True if no more commands can be sent. */
  get closed(): boolean {
    return this.#closed;
  }

  /**
   * @internal Sends a command for a session. The session waits for the answer. Throws `RangeError` if the
   * command is larger than `maxBytes`.
   */
  write(method: string, params: object, sessionId: string, maxBytes = Infinity): number {
    const id = this.#nextId++;
    const text = `${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`;
    if (text.length * MAX_CHAR_BYTES > maxBytes && Buffer.byteLength(text) > maxBytes)
      throw new RangeError(`The command has more than ${maxBytes} bytes. Send its data in parts.`);
    this.toBrowser.write(text);
    return id;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const session of this.#sessions.values()) session.end('closed');
    for (const raw of this.#raw) raw.end();
    this.#raw.clear();
    this.toBrowser.destroy();
    this.fromBrowser.destroy();
  }

  /** Follows the child sessions of a session. The browser reports each child session that begins or ends. */
  #follow(session: CdpSession): void {
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      // Ignores the second CDP session with the browser, which a customer's program opened, see `raw`.
      if (targetInfo.type === 'browser') return;
      const child = this.session(sessionId);
      if (session !== this.browser) void session.ended.then(() => this.#detach(child));
    });
    session.on('Target.detachedFromTarget', ({ sessionId }) => this.#detach(this.session(sessionId)));
  }

  #detach(session: CdpSession): void {
    this.#sessions.delete(session.id);
    session.end('detached');
  }

  #limitOf(head: MessageHead): number {
    if (!head) return MAX_MESSAGE_BYTES;
    if ('event' in head) return answerLimitOf(head.event);
    for (const raw of this.#raw) if (raw.waitsFor(head.id)) return MAX_RAW_ANSWER_BYTES;
    for (const session of this.#sessions.values()) {
      const method = session.methodOf(head.id);
      if (method !== undefined) return answerLimitOf(method);
    }
    return answerLimitOf(undefined);
  }

  #onTooLarge(head: MessageHead): void {
    this.drops.add('message of the browser', 'it is too large');
    if (head && 'event' in head) this.onEventLost(head.event);
    else if (head) {
      for (const session of this.#sessions.values()) session.passOver(head.id);
      for (const raw of this.#raw) raw.passOver(head.id);
    }
  }

  #onText(text: string): void {
    if (this.#raw.size > 0) {
      const raw = readRaw(text);
      for (const sessions of this.#raw) if (sessions.take(raw)) return;
    }
    const message = readMessage(text);
    if (message) this.#onMessage(message);
    else this.drops.add('message of the browser', 'it is not a message of the DevTools protocol');
  }

  #onMessage(message: CdpMessage): void {
    if (message.id === undefined) {
      this.#sessions.get(message.sessionId ?? '')?.take(message);
      return;
    }
    // Finds the session by the command's id, because an answer may lack its session id. Command ids are
    // unique.
    for (const session of this.#sessions.values()) if (session.take(message)) return;
  }
}
