import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { XConnection } from './x-client.js';

/** A pixel of the screen. */
export interface TouchPosition {
  x: number;
  y: number;
}

/** Fingers of all users together: as many as the device has by default. */
const MAX_FINGERS = 15;
/** Both axes of the device, over the whole screen, whatever its size. */
const AXIS_MAX = 0xffff;
/** How far inside its pixel a finger is put, in pixels: see {@link onAxis}. */
const INSIDE_PIXELS = 1 / 64;
/** Kinds of messages to the driver, and its version of the protocol. */
const HELLO = 0;
const TOUCH = 6;
const PROTOCOL = { major: 1, minor: 0 };
/** A message begins with its length and its kind, 32 bits each. */
const HEADER_BYTES = 8;
const HELLO_BYTES = HEADER_BYTES + 4;
/** A touch names a finger and says what it does, then come 64 axes twice: 8-byte aligned doubles behind a bit mask. */
const AXES_OFFSET = 32;
const TOUCH_BYTES = AXES_OFFSET + 2 * 64 * 8;
/** What a finger does, as the X Input Extension numbers it (`XI_TouchBegin` and the two after it). */
const BEGIN = 18;
const UPDATE = 19;
const END = 20;
/** The axes that are set, as a bit mask. */
const X_AND_Y = 0b11;

/**
 * The display's touch screen, which all users share. Touches reach the browser as from a real device: pages, menus and
 * dialogs all get them, and the browser makes its own gestures of them.
 *
 * It is driven over the socket of Xorg's `inputtest` driver. Source: inputtest(4) and the structures that it names, of
 * xf86-input-inputtest-protocol.h.
 */
export class TouchScreen {
  readonly #fingers = new Map<number, TouchPosition>();
  /** Pixels of the screen, over all of which the device's axes reach. */
  screen: { width: number; height: number };

  private constructor(
    connection: XConnection,
    private readonly socket: Socket,
  ) {
    this.screen = connection.size;
    // Whoever owns the display notices that it is gone.
    socket.on('error', () => undefined);
  }

  /** Connects to the device; rejects when the display has none. */
  static async open(connection: XConnection, path: string): Promise<TouchScreen> {
    const socket = connect(path);
    try {
      await once(socket, 'connect');
      const hello = message(HELLO, HELLO_BYTES);
      hello.writeUInt16LE(PROTOCOL.major, HEADER_BYTES);
      hello.writeUInt16LE(PROTOCOL.minor, HEADER_BYTES + 2);
      socket.write(hello);
      // The driver answers with its own version, or hangs up when ours is too new for it.
      await once(socket, 'data');
    } catch (error) {
      socket.destroy();
      throw error;
    }
    return new TouchScreen(connection, socket);
  }

  /** Puts a finger down; its number, or undefined when there are too many. */
  press(at: TouchPosition): number | undefined {
    const finger = this.#free();
    if (finger === undefined) return undefined;
    this.#fingers.set(finger, at);
    this.#send(finger, BEGIN, at);
    return finger;
  }

  move(finger: number, at: TouchPosition): void {
    const from = this.#fingers.get(finger);
    if (!from || (from.x === at.x && from.y === at.y)) return;
    this.#fingers.set(finger, at);
    this.#send(finger, UPDATE, at);
  }

  lift(finger: number): void {
    const at = this.#fingers.get(finger);
    if (!at) return;
    this.#fingers.delete(finger);
    this.#send(finger, END, at);
  }

  close(): void {
    this.socket.destroy();
  }

  #free(): number | undefined {
    for (let finger = 0; finger < MAX_FINGERS; finger++) if (!this.#fingers.has(finger)) return finger;
    return undefined;
  }

  #send(finger: number, action: number, { x, y }: TouchPosition): void {
    const { width, height } = this.screen;
    const touch = message(TOUCH, TOUCH_BYTES);
    touch.writeUInt32LE(finger, HEADER_BYTES);
    touch.writeUInt32LE(action, HEADER_BYTES + 4);
    touch.writeUInt8(X_AND_Y, HEADER_BYTES + 12);
    touch.writeDoubleLE(onAxis(x, width), AXES_OFFSET);
    touch.writeDoubleLE(onAxis(y, height), AXES_OFFSET + 8);
    this.socket.write(touch);
  }
}

function message(type: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUInt32LE(bytes, 0);
  buffer.writeUInt32LE(type, 4);
  return buffer;
}

/** A pixel as a place on an axis, a little inside: the server rounds down, and would sometimes land on the pixel before. */
function onAxis(pixel: number, pixels: number): number {
  return Math.min(1, (pixel + INSIDE_PIXELS) / Math.max(1, pixels - 1)) * AXIS_MAX;
}
