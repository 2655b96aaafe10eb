import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RawData, WebSocket } from 'ws';
import { TokenBucket } from '../../../../platform/rates/token-bucket.js';
import { bytesOf, closeReasonOf, GOODBYE_MS, terminateAfter } from '../../../room/handshake.js';
import { errorText, readCommand, RefusedCommand, type ClientCommand } from '../commands/messages.js';

/** Commands and bytes of one program. A faster program waits, because its socket is not read. */
const COMMAND_PACE = { perSecond: 2_000, burst: 2_000 };
const BYTE_PACE = { perSecond: 50_000_000, burst: 200_000_000 };
/** Characters of commands that wait for the browser above which no more is read. */
const MAX_PENDING_CHARS = 16_000_000;
/** Unsent bytes above which no more commands are read. */
const MAX_UNSENT_BEFORE_READING = 4_000_000;
/** Unsent bytes, without the largest message, above which the program is disconnected. */
const MAX_UNSENT = 8_000_000;
/** Time between two checks of a socket that is not read, and the longest time without any progress. */
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
  /** Handles a command. The next one waits until the promise resolves or a turn has passed. */
  onCommand(command: ClientCommand, size: number): Promise<void>;
  /** Returns the characters of the commands that wait for the browser. */
  pendingSize(): number;
  /** Called once, when the connection has ended. */
  onGone(): void;
}

/**
 * Connection of one program. Reads its commands one after the other, and only as fast as browser and program
 * take the messages of the other side. So a slow program costs the host little memory.
 */
export class Program {
  readonly #waiting: { text: string }[] = [];
  readonly #commands: TokenBucket;
  readonly #bytes: TokenBucket;
  #reading = false;
  #gone = false;
  /** Size of the largest unsent message. */
  #largest = 0;

  constructor(
    private readonly socket: WebSocket,
    private readonly listener: ProgramListener,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#commands = new TokenBucket(COMMAND_PACE, { now });
    this.#bytes = new TokenBucket(BYTE_PACE, { now });
    socket.on('message', (data, binary) => this.#onMessage(data, binary));
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
    this.#waiting.push({ text: bytesOf(data).toString() });
    // The commands of this turn may be many, but a socket delivers no more than it has read.
    this.socket.pause();
    if (!this.#reading) void this.#read();
  }

  async #read(): Promise<void> {
    this.#reading = true;
    for (let next = this.#waiting.shift(); next && !this.#gone; next = this.#waiting.shift()) {
      if (!(await this.#pace(next.text.length))) break;
      await this.#take(next.text);
    }
    this.#reading = false;
    if (this.#gone) this.#waiting.length = 0;
    else if (this.#waiting.length === 0) this.socket.resume();
    else void this.#read();
  }

  async #take(text: string): Promise<void> {
    try {
      const command = readCommand(text);
      const taken = this.listener.onCommand(command, text.length);
      // Commands are passed on in their order, except those that wait for control.
      await Promise.race([taken, nextTurn()]);
    } catch (error) {
      if (!(error instanceof RefusedCommand)) throw error;
      this.send(errorText({ id: error.id }, error.kind, error.message));
    }
  }

  /** Waits until browser, program and rate allow another command. Returns false if the program is gone. */
  async #pace(size: number): Promise<boolean> {
    const began = this.now();
    let unsent = Infinity;
    let movedAt = began;
    while (!this.#gone) {
      const { bufferedAmount } = this.socket;
      if (bufferedAmount < unsent) movedAt = this.now();
      unsent = bufferedAmount;
      const fits = bufferedAmount <= MAX_UNSENT_BEFORE_READING;
      const browserReads = this.listener.pendingSize() <= MAX_PENDING_CHARS;
      if (fits && browserReads && this.#commands.take() && this.#bytes.take(size)) return true;
      if (!fits && this.now() - movedAt > STALL_MS) {
        this.#leave();
        this.socket.terminate();
        return false;
      }
      await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
    }
    return false;
  }

  #leave(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#waiting.length = 0;
    this.listener.onGone();
  }
}
