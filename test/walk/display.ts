import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PNG } from 'pngjs';
import { ClientWindows } from '../../server/src/host/display/windows/client-windows.js';
import { connectDisplay, request, type XConnection } from '../../server/src/host/display/x-client.js';
import { commandLine, processes } from '../../server/src/platform/process/proc.js';
import type { Reply } from 'x11';

const XORG = /^\0\/usr\/lib\/xorg\/Xorg\0.*\0-auth\0([^\0]+)\0/;
/** Length of a MIT-MAGIC-COOKIE-1, which an Xauthority entry ends with. */
const COOKIE_BYTES = 16;
/** `ZPixmap` of the X11 protocol: four bytes a pixel at our depth, blue first. */
const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;
/** The distance between two sampled pixels, in both directions. */
const SAMPLE_STEP = 16;

/** Address and access data of a display. */
export interface DisplayPlace {
  /** The file of its cookie. Its socket is below the same directory. */
  authorityFile: string;
}

/** A window as the display has it, in pixels of the screen. */
export interface DisplayWindow {
  name: string;
  /** `browser`, `pop-up`, or empty. */
  role: string;
  x: number;
  y: number;
  width: number;
  height: number;
  /** True if the window has the keyboard focus. */
  active: boolean;
}

/** State of a display: its size, its windows and its picture. */
export interface DisplayState {
  width: number;
  height: number;
  /** The managed windows that can be seen, oldest first. */
  windows: DisplayWindow[];
  /** The part of the picture that is black, 0 to 1. */
  black: number;
}

/** An X request that the host does not use, so its types do not declare it. */
interface Translating {
  TranslateCoordinates(
    from: number,
    to: number,
    x: number,
    y: number,
    reply: Reply<{ destX: number; destY: number }>,
  ): void;
}

/** The displays whose files are below a directory. */
export function displaysBelow(directory: string): DisplayPlace[] {
  const found: DisplayPlace[] = [];
  for (const { pid, zombie } of processes()) {
    const [, authorityFile] = (zombie ? null : XORG.exec(commandLine(pid))) ?? [];
    if (authorityFile?.startsWith(`${directory}/`)) found.push({ authorityFile });
  }
  return found;
}

/** Reads a display from the X server itself, independently of the session host. */
export async function lookAt(place: DisplayPlace): Promise<DisplayState> {
  const connection = await open(place);
  try {
    const pixels = await pixelsOf(connection);
    const { width, height } = pixels;
    return { width, height, windows: await visibleWindows(connection), black: blackPart(pixels) };
  } finally {
    connection.close();
  }
}

/** A PNG of the whole display. */
export async function pictureOf(place: DisplayPlace): Promise<Buffer> {
  const connection = await open(place);
  try {
    const { width, height, data } = await pixelsOf(connection);
    const image = new PNG({ width, height });
    for (let pixel = 0; pixel < width * height; pixel++)
      image.data.writeUInt32BE(((data.readUInt32LE(pixel * 4) << 8) | 0xff) >>> 0, pixel * 4);
    return PNG.sync.write(image);
  } finally {
    connection.close();
  }
}

async function open({ authorityFile }: DisplayPlace): Promise<XConnection> {
  const authority = await readFile(authorityFile);
  const sockets = join(dirname(authorityFile), 'sockets');
  return connectDisplay({
    ...{ authorityFile, sockets, socket: join(sockets, 'X0'), touchSocket: '' },
    cookie: authority.subarray(-COOKIE_BYTES),
  });
}

/** The pixels of a screen, four bytes each: blue, green, red, none. */
async function pixelsOf({ x, root }: XConnection): Promise<{ width: number; height: number; data: Buffer }> {
  const { width, height } = await request<{ width: number; height: number }>((reply) =>
    x.GetGeometry(root, reply),
  );
  const { data } = await request<{ data: Buffer }>((reply) =>
    x.GetImage(Z_PIXMAP, root, 0, 0, width, height, ALL_PLANES, reply),
  );
  return { width, height, data };
}

async function visibleWindows(connection: XConnection): Promise<DisplayWindow[]> {
  const clients = await ClientWindows.open(connection);
  const [active] = await numbers(connection, connection.root, '_NET_ACTIVE_WINDOW');
  const hidden = await atom(connection, '_NET_WM_STATE_HIDDEN');
  const windows: DisplayWindow[] = [];
  for (const id of await clients.list()) {
    const window = await describe(connection, id).catch(() => undefined);
    const state = await numbers(connection, id, '_NET_WM_STATE');
    if (window && !state.includes(hidden)) windows.push({ ...window, active: id === active });
  }
  return windows;
}

/** Rejects when the window is gone. */
async function describe(connection: XConnection, id: number): Promise<Omit<DisplayWindow, 'active'>> {
  const x = connection.x as XConnection['x'] & Translating;
  const [{ width, height }, { destX, destY }, name, role] = await Promise.all([
    request<{ width: number; height: number }>((reply) => x.GetGeometry(id, reply)),
    request<{ destX: number; destY: number }>((reply) =>
      x.TranslateCoordinates(id, connection.root, 0, 0, reply),
    ),
    property(connection, id, '_NET_WM_NAME'),
    property(connection, id, 'WM_WINDOW_ROLE'),
  ]);
  return { name: name.toString('utf8'), role: role.toString('latin1'), x: destX, y: destY, width, height };
}

function blackPart({ width, height, data }: Awaited<ReturnType<typeof pixelsOf>>): number {
  let [black, samples] = [0, 0];
  for (let row = SAMPLE_STEP / 2; row < height; row += SAMPLE_STEP) {
    for (let column = SAMPLE_STEP / 2; column < width; column += SAMPLE_STEP) {
      samples += 1;
      if ((data.readUInt32LE((row * width + column) * 4) & 0xffffff) === 0) black += 1;
    }
  }
  return black / samples;
}

async function numbers(connection: XConnection, window: number, name: string): Promise<number[]> {
  const data = await property(connection, window, name);
  return Array.from({ length: Math.floor(data.length / 4) }, (_, index) => data.readUInt32LE(index * 4));
}

/** Resolves to no bytes for a window that was closed before the answer came. */
async function property(connection: XConnection, window: number, name: string): Promise<Buffer> {
  const named = await atom(connection, name);
  const answer = await request<{ data: Buffer }>((reply) =>
    connection.x.GetProperty(0, window, named, 0, 0, 64, reply),
  ).catch(() => undefined);
  return answer?.data ?? Buffer.alloc(0);
}

function atom({ x }: XConnection, name: string): Promise<number> {
  return request<number>((reply) => x.InternAtom(false, name, reply));
}
