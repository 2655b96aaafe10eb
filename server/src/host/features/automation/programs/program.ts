import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RawData, WebSocket } from 'ws';
import { closeReasonOf } from '../../../../platform/close-reason.js';
import { bytesOf, GOODBYE_MS, terminateAfter } from '../../../room/handshake.js';
import { errorText, readCommand, RefusedCommand, type ClientCommand } from '../commands/messages.js';
import { isSmall, MAX_PENDING_CHARS } from '../commands/pending-commands.js';
import { HeldCommands, type HeldCommand } from './held-commands.js';
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
  /** Returns false if a command of this size must wait, because too many characters wait already. */
  accepts(size: number, method?: string): boolean;
  /** Returns false if a command must wait for answers to earlier commands. */
  hasRoom(command: ClientCommand): boolean;
  /** Called once, when the connection has ended. */
  onGone(): void;
}

/**
 * Connection of one program. Reads its commands one after the other. Stops reading while the browser does not
 * accept commands, or the program does not read answers. So a slow program costs the host little memory. A
 * large command that waits for the browser lets commands of other CDP sessions pass; see
 * {@link HeldCommands}. Handles commands in short slices. Commands wait if programs have used their share of
 * the host's time.
 */
export class Program {
  readonly #waiting: { text: string }[] = [];
  readonly #held = new HeldCommands();
  readonly #pace: ProgramPace;
  #reading = false;
  #gone = false;
  /** Size of the largest unsent message. */
  #largest = 0;
  readonly #accepts = (size: number, method: string) => this.listener.accepts(size, method);
  /** Ends the pause of {@link #rest}. */
  #wake: () => void = () => undefined;

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
    this.#wake();
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
    else if (this.#held.any) this.#wake();
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
    while (!this.#gone && (this.#waiting.length > 0 || this.#held.any)) {
      if (this.now() - sliceBegan >= SLICE_MS) {
        await nextTurn();
        sliceBegan = this.now();
      }
      const next = this.#held.next(this.#accepts) ?? (await this.#readNext());
      if (next) await this.#handle(next);
    }
    this.#reading = false;
    if (this.#gone) this.#waiting.length = 0;
    else this.socket.resume();
  }

  /** Reads the next message. Returns its command if it may begin now. Otherwise returns undefined. */
  async #readNext(): Promise<HeldCommand | undefined> {
    const [next] = this.#waiting;
    if (!next) {
      // The host reads on while commands are held, because the program may send what they wait for.
      this.socket.resume();
      await this.#rest(CHECK_MS);
      return undefined;
    }
    const size = next.text.length;
    const fits = () => this.#fits(size);
    if (!(await this.#until(() => (fits() || this.#held.ready(this.#accepts) ? 0 : CHECK_MS))))
      return undefined;
    // A held command may begin before this one.
    if (!fits() || !(await this.#until(() => this.#pace.wait(size)))) return undefined;
    this.#waiting.shift();
    this.#pace.begins(size);
    const began = this.now();
    const command = this.#parse(next.text);
    this.#pace.used(this.now() - began);
    if (!command) return undefined;
    if (!this.#held.precedes(command) && this.#accepts(size, command.method)) return { command, size };
    this.#held.hold({ command, size });
    return undefined;
  }

  async #handle({ command, size }: HeldCommand): Promise<void> {
    if (!(await this.#until(() => (this.listener.hasRoom(command) ? 0 : CHECK_MS)))) return;
    const began = this.now();
    this.listener.onCommand(command, size);
    // Lets this command reach the browser before the next one. A command that must wait does not delay the
    // next one.
    await passedOn();
    this.#pace.used(this.now() - began);
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

  /** True if a command of this size can be handed on or held. */
  #fits(size: number): boolean {
    return this.#held.hasRoom(size) && (!isSmall(size) || this.listener.accepts(size));
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
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #leave(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#waiting.length = 0;
    this.#held.clear();
    this.listener.onGone();
  }
}

/** Resolves when all promise callbacks that can run now have run. */
function passedOn(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
