import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { XConnection } from './x-client.js';

/** A pixel of the screen. */
export interface TouchPosition {
  x: number;
  y: number;
}

/** Maximum number of fingers of all users together: the device's default. */
const MAX_FINGERS = 15;
/**
 * Maximum value of both axes of the device. The values from 0 to this maximum cover the screen at any size.
 */
const AXIS_MAX = 0xffff;
/** Maximum value of the axis of pressure. */
const PRESSURE_MAX = 2047;
/** Offset of a finger inside its pixel, in pixels: see {@link onAxis}. */
const INSIDE_PIXELS = 1 / 64;
/** Types of messages to the driver, and the protocol version. */
const HELLO = 0;
const TOUCH = 6;
const PROTOCOL = { major: 1, minor: 0 };
/** Length of a message's header: its length and its type, 32 bits each. */
const HEADER_BYTES = 8;
const HELLO_BYTES = HEADER_BYTES + 4;
/**
 * Layout of a touch message after its header: the finger, its action and a bit mask of axes. Two lists with
 * the values of 64 axes follow, as 8-byte aligned doubles.
 */
const AXES_OFFSET = 32;
const TOUCH_BYTES = AXES_OFFSET + 2 * 64 * 8;
/** Actions of a finger, numbered by the X Input Extension (`XI_TouchBegin` and the two after it). */
const BEGIN = 18;
const UPDATE = 19;
const END = 20;
/** Numbers of the axes: position and pressure. The axes between them scroll. */
const [X, Y, PRESSURE] = [0, 1, 4];
const AXES = (1 << X) | (1 << Y) | (1 << PRESSURE);
/**
 * Pressure of every finger: half of the axis, which pages read as 0.5. Pages expect this value from a device
 * that does not measure pressure. Without a value they would read 0, and drawing tools would draw no line.
 */
const HALF_PRESSURE = PRESSURE_MAX / 2;

/**
 * The display's touch screen, which all users share. The browser receives touches as from a real device. So
 * pages, menus and dialogs get the touches, and the browser itself recognises gestures.
 *
 * The host controls the device over the socket of Xorg's `inputtest` driver. Source: inputtest(4) and the
 * structures that it names, in xf86-input-inputtest-protocol.h.
 */
export class TouchScreen {
  readonly #fingers = new Map<number, TouchPosition>();
  /** Size of the screen in pixels. The device's axes cover all of it. */
  screen: { width: number; height: number };

  private constructor(
    connection: XConnection,
    private readonly socket: Socket,
  ) {
    this.screen = connection.size;
    // Ignores errors, because the owner of the display notices when the display is gone.
    socket.on('error', () => undefined);
  }

  /** Connects to the device. Rejects if the display has no touch screen. */
  static async open(connection: XConnection, path: string): Promise<TouchScreen> {
    const socket = connect(path);
    try {
      await once(socket, 'connect');
      const hello = message(HELLO, HELLO_BYTES);
      hello.writeUInt16LE(PROTOCOL.major, HEADER_BYTES);
      hello.writeUInt16LE(PROTOCOL.minor, HEADER_BYTES + 2);
      socket.write(hello);
      // The driver answers with its own version. It closes the connection if the requested version is too
      // new.
      const refused = once(socket, 'close').then(() => {
        throw new Error('The driver of the touch screen has closed the connection.');
      });
      await Promise.race([once(socket, 'data'), refused]);
    } catch (error) {
      socket.destroy();
      throw error;
    }
    return new TouchScreen(connection, socket);
  }

  /** Puts a finger down. Returns its number, or undefined if too many fingers are down. */
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
    touch.writeUInt8(AXES, HEADER_BYTES + 12);
    const set = (axis: number, value: number) => touch.writeDoubleLE(value, AXES_OFFSET + axis * 8);
    set(X, onAxis(x, width));
    set(Y, onAxis(y, height));
    set(PRESSURE, HALF_PRESSURE);
    this.socket.write(touch);
  }
}

function message(type: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUInt32LE(bytes, 0);
  buffer.writeUInt32LE(type, 4);
  return buffer;
}

/**
 * Returns the position of a pixel on an axis, slightly inside the pixel. The server rounds down. Without the
 * offset, a touch would sometimes hit the previous pixel.
 */
function onAxis(pixel: number, pixels: number): number {
  return Math.min(1, (pixel + INSIDE_PIXELS) / Math.max(1, pixels - 1)) * AXIS_MAX;
}
