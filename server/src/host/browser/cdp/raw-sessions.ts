import { MAX_RAW_COMMAND_BYTES } from './answer-limits.js';

/** A message from the browser whose JSON is not parsed. */
export interface RawMessage {
  /** Id of the command that it answers; undefined for an event. */
  id: number | undefined;
  /** Name of the event; undefined for an answer. */
  event: string | undefined;
  sessionId: string | undefined;
  /** The JSON text as the browser sent it. */
  text: string;
}

/** Receiver of the messages of {@link RawSessions}. */
export interface RawListener {
  onMessage(message: RawMessage): void;
  /** Called for a command whose answer was too large. The answer itself is dropped. */
  onTooLarge(id: number): void;
  /** Called when the connection to the browser is closed. */
  onClosed(): void;
}

/** The connection that carries the messages. */
export interface RawTransport {
  /** Sends a command and returns its id. Throws `RangeError` if the command is larger than `maxBytes`. */
  write(method: string, params: object, sessionId: string, maxBytes: number): number;
  /** Stops routing messages to these sessions. */
  release(sessions: RawSessions): void;
}

/**
 * Pattern for the end of a message, which contains the id of the CDP session. Chromium writes this key last.
 */
const SESSION_AT_END = /,"sessionId":"([0-9A-Za-z-]{1,64})"\}$/;
/** Number of characters at the beginning and at the end of a message that are searched for ids. */
const END_CHARS = 100;
const ID = /^\{"id":(\d+),/;
const EVENT = /^\{"method":"([\w.]+)"/;

/** Returns the parts of a message that identify its receiver. */
export function readRaw(text: string): RawMessage {
  const head = text.slice(0, END_CHARS);
  const id = ID.exec(head)?.[1];
  return {
    id: id === undefined ? undefined : Number(id),
    event: EVENT.exec(head)?.[1],
    sessionId: SESSION_AT_END.exec(text.slice(-END_CHARS))?.[1],
    text,
  };
}

/**
 * CDP sessions of a customer's program that drives the browser. Their messages are passed on as text, because
 * parsing a screenshot would delay the input of all users. Each command has an id that is unique on the
 * connection.
 */
export class RawSessions {
  /** Sessions of the commands that wait for their answers, by the id of the command. */
  readonly #commands = new Map<number, string>();
  readonly #sessions = new Set<string>();
  #closed = false;

  constructor(
    private readonly transport: RawTransport,
    private readonly listener: RawListener,
  ) {}

  /**
   * Sends a command. Returns its id, or undefined if the connection is closed. Throws `RangeError` if the
   * browser cannot read so large a command.
   */
  send(method: string, params: object, sessionId: string): number | undefined {
    if (this.#closed) return undefined;
    const id = this.transport.write(method, params, sessionId, MAX_RAW_COMMAND_BYTES);
    this.#commands.set(id, sessionId);
    return id;
  }

  /** Receives the messages of a session from now on. */
  own(sessionId: string): void {
    this.#sessions.add(sessionId);
  }

  /** Ignores the messages of a session from now on, also the answers to its commands. */
  disown(sessionId: string): void {
    this.#sessions.delete(sessionId);
    // The browser does not answer most commands of a session that has ended.
    for (const [id, session] of this.#commands) if (session === sessionId) this.#commands.delete(id);
  }

  /** True if a command waits for its answer. Called by the connection. */
  waitsFor(id: number): boolean {
    return this.#commands.has(id);
  }

  /** Takes a message of one of these sessions. Returns false for other messages. Called by the connection. */
  take(message: RawMessage): boolean {
    const { id, sessionId } = message;
    const isOwn =
      id === undefined ? sessionId !== undefined && this.#sessions.has(sessionId) : this.#forget(id);
    if (isOwn) this.listener.onMessage(message);
    return isOwn;
  }

  /** Handles an answer that was too large. Called by the connection. */
  passOver(id: number): void {
    if (this.#forget(id)) this.listener.onTooLarge(id);
  }

  /** Ignores all messages from now on. */
  close(): void {
    this.#closed = true;
    this.#commands.clear();
    this.#sessions.clear();
    this.transport.release(this);
  }

  /** Called by the connection when it is closed. */
  end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.listener.onClosed();
  }

  #forget(id: number): boolean {
    return this.#commands.delete(id);
  }
}
