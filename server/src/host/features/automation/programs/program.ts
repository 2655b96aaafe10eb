import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RawData, WebSocket } from 'ws';
import { bytesOf, closeReasonOf, GOODBYE_MS, terminateAfter } from '../../../room/handshake.js';
import { errorText, readCommand, RefusedCommand, type ClientCommand } from '../commands/messages.js';
import { ProgramPace, type SharedPace } from './program-pace.js';

/**
 * Maximum time for which commands are handled without a pause, milliseconds. Then the picture, the sound and
 * the input of users have their turn.
 */
const SLICE_MS = 2;
/**
 * The host's time to read and send an answer of the browser, as a multiple of the time to send it. The host
 * measures only the sending.
 */
const READ_AND_SENT = 2;
const MALFORMED = 'Too many messages were not commands. Send JSON objects with id, method and params.';
const PINGING = 'Too many pings or pongs of the WebSocket protocol. Send at most 20 per second.';
/**
 * While the commands that wait for their turn or for the browser have more characters than this, the host
 * handles no further large commands.
 */
const MAX_PENDING_CHARS = 16_000_000;
/**
 * Commands of at most this size still have room above {@link MAX_PENDING_CHARS}. The browser may need them to
 * answer the waiting commands: a script that waits for a request continues with `Fetch.continueRequest`.
 */
const SMALL_COMMAND_CHARS = 64_000;
const ROOM_FOR_SMALL_CHARS = 1_000_000;
/** While a program has more unsent bytes than this, the host reads no commands of the program. */
const MAX_UNSENT_BEFORE_READING = 1_000_000;
/** A program with more unsent bytes than this is disconnected. The largest unsent message does not count. */
const MAX_UNSENT = 8_000_000;
/**
 * Milliseconds. While commands must wait, the host checks the socket at least once per `CHECK_MS`. It
 * disconnects a program whose unsent bytes do not decrease for `STALL_MS`.
 */
const CHECK_MS = 20;
const STALL_MS = 30_000;
/** Close codes of RFC 6455. */
export const CLOSE_CODES = {
  done: 1000,
  goingAway: 1001,
  unsupported: 1003,
  policy: 1008,
  failed: 1011,
} as const;

/** Receiver of a program's commands. */
export interface ProgramListener {
  /**
   * Handles a command. The next command follows when this command was sent to the browser, or when this
   * command must wait for its turn or for control.
   */
  onCommand(command: ClientCommand, size: number): void;
  /** Returns the number of characters of the commands that wait for their turn or for the browser. */
  pendingSize(): number;
  /** Returns false if a command must wait for answers to earlier commands. */
  hasRoom(command: ClientCommand): boolean;
  /** Called once, when the connection has ended. */
  onGone(): void;
}

/**
 * Connection of one program. Reads its commands one after the other. Stops reading while the browser does not
 * accept commands, or the program does not read answers. So a slow program costs the host little memory.
 * Handles commands in short slices. Commands wait if programs have used their share of the host's time.
 */
export class Program {
  readonly #waiting: { text: string }[] = [];
  readonly #pace: ProgramPace;
  #reading = false;
  #gone = false;
  /** Size of the largest unsent message. */
  #largest = 0;
  #onAnswer: () => void = () => undefined;

  constructor(
    private readonly socket: WebSocket,
    private readonly listener: ProgramListener,
    shared: SharedPace,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#pace = new ProgramPace(shared, now);
    socket.on('message', (data, binary) => this.#onMessage(data, binary));
    for (const event of ['ping', 'pong'] as const) socket.on(event, () => this.#onPing());
    socket.once('close', () => this.#leave());
  }

  /** True if nothing can be sent any more. */
  get gone(): boolean {
    return this.#gone;
  }

  /** Sends a message. Disconnects a program that does not read. */
  send(text: string): void {
    if (this.#gone || this.socket.readyState !== this.socket.OPEN) return;
    if (this.socket.bufferedAmount === 0) this.#largest = 0;
    this.#largest = Math.max(this.#largest, text.length);
    this.socket.send(text);
    if (this.socket.bufferedAmount - this.#largest <= MAX_UNSENT) return;
    this.#leave();
    this.socket.terminate();
  }

  /** Sends an answer of the browser. The time that this takes counts as time of the program. */
  answer(text: string): void {
    const began = this.now();
    this.send(text);
    this.#pace.used((this.now() - began) * READ_AND_SENT);
    this.#onAnswer();
  }

  /** Counts a command that was refused. A program with many refused commands is slowed down. */
  refused(): void {
    this.#pace.refused();
  }

  /**
   * Lets the host read the socket even while commands wait, so that the answer to a ping can arrive. Returns
   * false if the socket stays paused, because the waiting commands have too many characters.
   */
  listen(): boolean {
    const waiting = this.#waiting.reduce((sum, { text }) => sum + text.length, 0);
    if (waiting > MAX_PENDING_CHARS) return !this.socket.isPaused;
    this.socket.resume();
    return true;
  }

  /** Closes the connection with a reason. */
  close(code: number, reason: string): void {
    if (this.#gone) return;
    this.#leave();
    this.socket.resume();
    this.socket.close(code, closeReasonOf(reason));
    terminateAfter(this.socket, GOODBYE_MS);
  }

  #onMessage(data: RawData, binary: boolean): void {
    if (this.#gone) return;
    if (binary) {
      this.close(CLOSE_CODES.unsupported, 'Send commands as text.');
      return;
    }
    const began = this.now();
    this.#waiting.push({ text: bytesOf(data).toString() });
    this.#pace.used(this.now() - began);
    // The socket may still deliver the messages that it has already read, but it reads no more.
    this.socket.pause();
    if (!this.#reading) void this.#read();
  }

  #onPing(): void {
    if (this.#gone || this.#pace.allowsPing()) return;
    this.close(CLOSE_CODES.policy, PINGING);
    // The host reads no further pings.
    this.socket.pause();
  }

  async #read(): Promise<void> {
    this.#reading = true;
    let sliceBegan = this.now();
    for (let next = this.#waiting.shift(); next && !this.#gone; next = this.#waiting.shift()) {
      if (this.now() - sliceBegan >= SLICE_MS) {
        await nextTurn();
        sliceBegan = this.now();
      }
      const { text } = next;
      if (!(await this.#until(() => this.#waitFor(text.length)))) break;
      this.#pace.begins(text.length);
      let began = this.now();
      const command = this.#parse(text);
      if (!command) {
        this.#pace.used(this.now() - began);
        continue;
      }
      if (!this.listener.hasRoom(command)) {
        this.#pace.used(this.now() - began);
        if (!(await this.#until(() => (this.listener.hasRoom(command) ? 0 : CHECK_MS)))) break;
        began = this.now();
      }
      this.listener.onCommand(command, text.length);
      // Lets this command reach the browser before the next one. A command that must wait does not delay the
      // next one.
      await passedOn();
      this.#pace.used(this.now() - began);
    }
    this.#reading = false;
    if (this.#gone) this.#waiting.length = 0;
    else if (this.#waiting.length === 0) this.socket.resume();
    else void this.#read();
  }

  /**
   * Returns the command of a message. Answers a message that is not a command with an error, and returns
   * undefined.
   */
  #parse(text: string): ClientCommand | undefined {
    try {
      return readCommand(text);
    } catch (error) {
      if (!(error instanceof RefusedCommand)) throw error;
      if (this.#pace.allowsMalformed()) this.send(errorText({ id: error.id }, error.kind, error.message));
      else this.close(CLOSE_CODES.policy, MALFORMED);
      return undefined;
    }
  }

  /** Returns the milliseconds that a command of this size must wait for its rate and for the browser. */
  #waitFor(size: number): number {
    const room = size <= SMALL_COMMAND_CHARS ? ROOM_FOR_SMALL_CHARS : 0;
    const browserReads = this.listener.pendingSize() <= MAX_PENDING_CHARS + room;
    return browserReads ? this.#pace.wait(size) : CHECK_MS;
  }

  /**
   * Waits until `waitOf` returns 0 and the program reads its messages. Resolves to false if the program is
   * gone.
   */
  async #until(waitOf: () => number): Promise<boolean> {
    let unsent = Infinity;
    let movedAt = this.now();
    while (!this.#gone) {
      const { bufferedAmount } = this.socket;
      if (bufferedAmount < unsent) movedAt = this.now();
      unsent = bufferedAmount;
      const fits = bufferedAmount <= MAX_UNSENT_BEFORE_READING;
      const wait = waitOf();
      if (fits && wait === 0) return true;
      if (!fits && this.now() - movedAt > STALL_MS) {
        this.#leave();
        this.socket.terminate();
        return false;
      }
      await this.#rest(Math.min(Math.ceil(wait) || CHECK_MS, CHECK_MS));
    }
    return false;
  }

  /** Resolves after a time in milliseconds, or when the browser has answered a command. */
  #rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#onAnswer = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #leave(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#waiting.length = 0;
    this.listener.onGone();
  }
}

/** Resolves when all promise callbacks that can run now have run. */
function passedOn(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
