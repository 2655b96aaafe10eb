import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import x11, { type Reply, type X11Client, type X11Display } from 'x11';
import fdpass from 'x11/lib/fdpass.js';
import type { Clock } from '../../platform/time/clock.js';
import { withTimeout } from '../../platform/time/timeout.js';
import { DISPLAY } from '../sandbox/helper-sandbox.js';
import type { DisplayAddress } from './x-server.js';

/**
 * Timeout for the display's first answer. A display that hangs at its start is not checked yet, so nobody
 * would end it. The time is longer than that of the watchdog, which ends a display that hangs later.
 * Milliseconds.
 */
export const HELLO_TIMEOUT_MS = 20_000;

/**
 * A connection to the session's display. Each part of the host that uses X has its own connection, so that no
 * part waits for another.
 */
export interface XConnection {
  readonly x: X11Client;
  readonly display: X11Display;
  readonly root: number;
  /** Size of the screen in pixels when the connection was made. */
  readonly size: { width: number; height: number };
  /** Resolves when the connection has ended. No reply arrives after that. */
  readonly ended: Promise<void>;
  close(): void;
}

/**
 * Connects to a display. The display accepts only clients that send its cookie. Rejects if the display
 * refuses the client, ends, or does not answer in {@link HELLO_TIMEOUT_MS}.
 */
export async function connectDisplay(
  address: DisplayAddress,
  clock?: Pick<Clock, 'setTimeout'>,
): Promise<XConnection> {
  const auth = { name: 'MIT-MAGIC-COOKIE-1', data: address.cookie.toString('latin1') };
  const stream = await connectSocket(address.socket);
  const ended = new Promise<void>((resolve) => stream.once('close', () => resolve()));
  const greeted = new Promise<X11Display>((resolve, reject) => {
    const client = x11.createClient({ display: DISPLAY, stream, auth }, (error, ready) => {
      if (error) reject(error instanceof Error ? error : new Error(String(error)));
      else resolve(ready);
    });
    client.on('error', reject);
  });
  const late = () => {
    stream.destroy();
    return Promise.reject(new Error('The display does not answer.'));
  };
  const display = await withTimeout(greeted, HELLO_TIMEOUT_MS, late, clock);
  const x = display.client;
  // The library stores the atoms of all connections in one table, but each server assigns its own numbers. So
  // each connection gets its own table here.
  x.atoms = { ...x.atoms };
  // Ignores errors, because a window may be gone when a request reaches the server. This is not a failure of
  // the host.
  x.on('error', () => undefined);
  const [screen = { root: 0, pixel_width: 1, pixel_height: 1 }] = display.screen;
  const size = { width: screen.pixel_width, height: screen.pixel_height };
  return { x, display, root: screen.root, size, ended, close: () => x.terminate() };
}

/**
 * Connects a new part to a display. Closes the connection if the part cannot be opened, or if the display
 * ends meanwhile.
 */
export async function openOn<Part>(
  address: DisplayAddress,
  open: (connection: XConnection) => Promise<Part>,
): Promise<Part> {
  const connection = await connectDisplay(address);
  try {
    return await Promise.race([open(connection), displayEnd(connection)]);
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Returns a connected socket. The socket can pass file descriptors if this version of Node can do that. The
 * library itself would look for the socket in the machine's /tmp.
 */
async function connectSocket(path: string): Promise<Socket> {
  const socket = fdpass.connect(path) ?? connect(path);
  await once(socket, 'connect');
  return socket;
}

/** Turns one request with a reply into a promise. */
export function request<T>(send: (reply: Reply<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    send((error, reply) => {
      if (error) reject(error instanceof Error ? error : new Error(String(error)));
      else resolve(reply);
    });
  });
}

/** Returns the atom of a name on the display of a connection. */
export function atomOf({ x }: XConnection, name: string): Promise<number> {
  return request<number>((reply) => x.InternAtom(false, name, reply));
}

/** Rejects when the connection has ended. Requests that still wait for a reply never get one. */
export async function displayEnd(connection: XConnection): Promise<never> {
  await connection.ended;
  throw new Error('The display has ended.');
}

/** Resolves when the server has handled every request sent on this connection so far. */
export async function roundTrip(connection: XConnection): Promise<void> {
  await request<{ focus: number }>((reply) => connection.x.GetInputFocus(reply));
}
