import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ClientWindows } from '../../../server/src/host/display/windows/client-windows.js';
import { connectDisplay, request, type XConnection } from '../../../server/src/host/display/x-client.js';
import { atEnd } from './cleanup.js';
import { descendants } from './processes.js';
import type { Service } from './service.js';

const XORG = /^\/usr\/lib\/xorg\/Xorg .*-auth (\S+)/;
/** Length of a MIT-MAGIC-COOKIE-1, which an Xauthority entry ends with. */
const COOKIE_BYTES = 16;

/** A window of a session, in pixels of its screen. */
export interface DisplayWindow {
  id: number;
  /** `browser`, `pop-up`, or empty. */
  role: string;
  place: string;
  /** True if the window has the keyboard focus. */
  active: boolean;
  /** True if the window is iconified. */
  hidden: boolean;
}

/** A part of the screen, in pixels. */
export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * An unmapped window has the state 0. A window with override-redirect is not managed by the window manager.
 */
interface WindowAttributes {
  mapState: number;
  overrideRedirect: number;
}

/** Arguments of GetImage: pixels as a whole, row by row; all bits of a pixel. */
const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;

type Reply<T> = (error: Error | null, reply: T) => void;

/** X requests that the host does not use, so its types do not declare them. */
interface MoreRequests {
  TranslateCoordinates(
    ...args: [number, number, number, number, Reply<{ destX: number; destY: number }>]
  ): void;
  GetWindowAttributes(window: number, reply: Reply<WindowAttributes>): void;
  GetAtomName(atom: number, reply: Reply<string>): void;
}

/** Reads the windows of a display from the X server itself, independently of the session host. */
export class DisplayWindows {
  private constructor(
    private readonly connection: XConnection,
    private readonly clients: ClientWindows,
  ) {}

  /** The display of the session that was created last. */
  static async open(service: Service): Promise<DisplayWindows> {
    const displays = descendants(service.pid).filter(({ command }) => XORG.test(command));
    const [newest] = displays.sort((a, b) => Number(b.started) - Number(a.started));
    const [, authorityFile = ''] = XORG.exec(newest?.command ?? '') ?? [];
    const cookie = readFileSync(authorityFile).subarray(-COOKIE_BYTES);
    const sockets = join(dirname(authorityFile), 'sockets');
    const place = { sockets, socket: join(sockets, 'X0'), authorityFile, cookie, touchSocket: '' };
    const connection = await connectDisplay(place);
    atEnd(() => connection.close());
    return new DisplayWindows(connection, await ClientWindows.open(connection));
  }

  async list(): Promise<DisplayWindow[]> {
    const { root } = this.connection;
    const [active] = await this.#numbers(root, '_NET_ACTIVE_WINDOW');
    const hidden = await this.atom('_NET_WM_STATE_HIDDEN');
    const windows = (await this.clients.list()).map(async (id): Promise<DisplayWindow> => {
      const states = await this.#numbers(id, '_NET_WM_STATE');
      const role = (await this.#property(id, 'WM_WINDOW_ROLE')).toString();
      const place = await this.#place(id).then(
        ({ x, y, width, height }) => `${width}x${height}+${x}+${y}`,
        () => 'gone',
      );
      return { id, role, place, active: id === active, hidden: states.includes(hidden) };
    });
    return Promise.all(windows);
  }

  /** Overlays of the page that are not windows of their own: menus, lists, bubbles. */
  async popups(): Promise<Place[]> {
    const x = this.connection.x as XConnection['x'] & MoreRequests;
    const { children } = await request<{ children: number[] }>((reply) =>
      x.QueryTree(this.connection.root, reply),
    );
    const popups = children.map(async (window) => {
      const { mapState, overrideRedirect } = await request<WindowAttributes>((reply) =>
        x.GetWindowAttributes(window, reply),
      );
      const place = await this.#place(window);
      // The window manager has a window of one pixel.
      return mapState > 0 && overrideRedirect > 0 && place.width > 1 ? [place] : [];
    });
    return (await Promise.all(popups.map((popup) => popup.catch(() => [])))).flat();
  }

  /** The colour of one pixel of the screen: red, green, blue. */
  async colour(x: number, y: number): Promise<number[]> {
    const { data } = await request<{ data: Buffer }>((reply) =>
      this.connection.x.GetImage(Z_PIXMAP, this.connection.root, x, y, 1, 1, ALL_PLANES, reply),
    );
    return [...data.subarray(0, 3)].reverse();
  }

  /** Sends the window manager a message about a window. */
  async ask(window: number, message: string, data: (number | string)[]): Promise<void> {
    const numbers = data.map((part) => (typeof part === 'string' ? this.atom(part) : Promise.resolve(part)));
    const { x, root } = this.connection;
    x.SendClientMessage(root, window, await this.atom(message), 32, await Promise.all(numbers), 0x180000);
  }

  async #place(id: number): Promise<Place> {
    const x = this.connection.x as XConnection['x'] & MoreRequests;
    const { width, height } = await request<{ width: number; height: number }>((reply) =>
      x.GetGeometry(id, reply),
    );
    const at = await request<{ destX: number; destY: number }>((reply) =>
      x.TranslateCoordinates(id, this.connection.root, 0, 0, reply),
    );
    return { x: at.destX, y: at.destY, width, height };
  }

  async #numbers(window: number, name: string): Promise<number[]> {
    const data = await this.#property(window, name);
    return Array.from({ length: Math.floor(data.length / 4) }, (_, index) => data.readUInt32LE(index * 4));
  }

  async #property(window: number, name: string): Promise<Buffer> {
    const atom = await this.atom(name);
    const answer = await request<{ data: Buffer }>((reply) =>
      this.connection.x.GetProperty(0, window, atom, 0, 0, 64, reply),
    ).catch(() => undefined);
    return answer?.data ?? Buffer.alloc(0);
  }

  /** The name of an atom, by the X server. */
  nameOf(atom: number): Promise<string> {
    const x = this.connection.x as XConnection['x'] & MoreRequests;
    return request<string>((reply) => x.GetAtomName(atom, reply));
  }

  /** The number that a name has in this X server. */
  atom(name: string): Promise<number> {
    return request<number>((reply) => this.connection.x.InternAtom(false, name, reply));
  }
}
