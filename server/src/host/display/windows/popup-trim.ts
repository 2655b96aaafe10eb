import type { DamageExtension, ShapeExtension, X11Event } from 'x11';
import x11 from 'x11';
import { atomOf, openOn, request, type XConnection } from '../x-client.js';
import type { DisplayAddress } from '../x-server.js';

/** Predefined atom; X11 protocol, appendix B. */
const XA_ATOM = 4;
/** Arguments of GetImage: the format (whole pixels, row by row), and the plane mask (all bits of a pixel). */
const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;
const BYTES_PER_PIXEL = 4;
/** Maximum brightness of the shadow's colours, 0 to 255. The popups themselves are brighter. */
const BRIGHTEST_SHADOW = 24;
/** Time without a change after which a popup counts as painted. */
const PAINTED_MS = 50;

type Area = [x: number, y: number, width: number, height: number];

/** A popup on the screen. */
interface Popup {
  damage: number;
  size: string;
  trimmed: boolean;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Cuts the black frames off Chromium's popups. Chromium draws a shadow on a transparent area around
 * suggestion lists. Without a compositing manager this area is black. A compositing manager is too expensive,
 * because it paints the whole screen.
 */
export class PopupTrim {
  readonly #popups = new Map<number, Popup>();

  private constructor(
    private readonly connection: XConnection,
    private readonly damage: DamageExtension,
    private readonly shape: ShapeExtension,
    private readonly atoms: { type: number; notification: number },
  ) {
    const { x, root } = connection;
    x.on('event', (event: X11Event) => this.#onEvent(event));
    x.ChangeWindowAttributes(root, { eventMask: x11.eventMask.SubstructureNotify });
  }

  /** Watches popups from now on. */
  static start(address: DisplayAddress): Promise<PopupTrim> {
    return openOn(address, (connection) => PopupTrim.#startOn(connection));
  }

  static async #startOn(connection: XConnection): Promise<PopupTrim> {
    const { x } = connection;
    const [damage, shape, type, notification] = await Promise.all([
      request<DamageExtension>((reply) => x.require('damage', reply)),
      request<ShapeExtension>((reply) => x.require('shape', reply)),
      atomOf(connection, '_NET_WM_WINDOW_TYPE'),
      // Chromium's window type for popups with a black frame. Menus and tooltips have other types and no
      // black frame.
      atomOf(connection, '_NET_WM_WINDOW_TYPE_NOTIFICATION'),
    ]);
    return new PopupTrim(connection, damage, shape, { type, notification });
  }

  close(): void {
    for (const { timer } of this.#popups.values()) clearTimeout(timer);
    this.#popups.clear();
    this.connection.close();
  }

  #onEvent(event: X11Event): void {
    if (event.name === 'MapNotify' && event['overrideRedirect'] === true)
      void this.#follow(event['wid'] as number);
    else if (event.name === 'UnmapNotify') this.#forget(event['wid'] as number);
    else if (event.name === 'ConfigureNotify')
      this.#resized(event['wid1'] as number, `${String(event['width'])}x${String(event['height'])}`);
    else if (event.name === 'DamageNotify') this.#changed(event['drawable'] as number);
  }

  async #follow(window: number): Promise<void> {
    const { x } = this.connection;
    const answer = await request<{ data: Buffer }>((reply) =>
      x.GetProperty(0, window, this.atoms.type, XA_ATOM, 0, 1, reply),
    ).catch(() => undefined);
    const isPopup = answer?.data.length === 4 && answer.data.readUInt32LE() === this.atoms.notification;
    if (!isPopup || this.#popups.has(window)) return;
    const damage = x.AllocID();
    this.#popups.set(window, { damage, size: '', trimmed: false, timer: undefined });
    this.damage.Create(damage, window, this.damage.ReportLevel.RawRectangles);
    this.#changed(window);
  }

  #forget(window: number): void {
    const popup = this.#popups.get(window);
    if (!popup) return;
    clearTimeout(popup.timer);
    this.#popups.delete(window);
    this.damage.Destroy(popup.damage);
  }

  #resized(window: number, size: string): void {
    const popup = this.#popups.get(window);
    if (!popup || popup.size === size) return;
    popup.size = size;
    popup.trimmed = false;
    this.shape.Mask(this.shape.Op.Set, this.shape.Kind.Bounding, window, 0, 0, 0);
    this.#changed(window);
  }

  /**
   * Schedules the trimming. A popup is trimmed only once for each size, because the area that was cut off
   * cannot be read again. If nothing was cut off, the popup may not be painted yet, and is read again.
   */
  #changed(window: number): void {
    const popup = this.#popups.get(window);
    if (!popup || popup.trimmed) return;
    clearTimeout(popup.timer);
    popup.timer = setTimeout(() => void this.#trim(window, popup), PAINTED_MS);
  }

  async #trim(window: number, popup: Popup): Promise<void> {
    const { x } = this.connection;
    const { size } = popup;
    const image = await request<{ width: number; height: number }>((reply) => x.GetGeometry(window, reply))
      .then(async ({ width, height }) => {
        const { data } = await request<{ data: Buffer }>((reply) =>
          x.GetImage(Z_PIXMAP, window, 0, 0, width, height, ALL_PLANES, reply),
        );
        return { data, width, height };
      })
      // Fails if the popup is closed, or partly outside the screen.
      .catch(() => undefined);
    if (!image || popup.size !== size || this.#popups.get(window) !== popup) return;
    const parts = visibleParts(image);
    if (!cutsOff(parts, image)) return;
    popup.trimmed = true;
    this.shape.Rectangles(this.shape.Op.Set, this.shape.Kind.Bounding, window, 0, 0, parts);
  }
}

/**
 * True if these parts are some of a popup, but not all of it. Before Chromium has painted a popup, the popup
 * is black, or has one colour up to its edges.
 */
export function cutsOff(
  parts: readonly Area[],
  { width, height }: { width: number; height: number },
): boolean {
  const [first] = parts;
  return first !== undefined && (parts.length > 1 || first[2] < width || first[3] < height);
}

/**
 * Returns the visible part of each pixel row: from the first to the last pixel that is brighter than the
 * shadow. Merges adjacent rows with the same visible part. Pixels have four bytes, blue first.
 */
export function visibleParts(image: { data: Buffer; width: number; height: number }): Area[] {
  const { data, width, height } = image;
  const parts: Area[] = [];
  for (let y = 0; y < height; y++) {
    const isShadow = (x: number) => {
      const pixel = (y * width + x) * BYTES_PER_PIXEL;
      return data.subarray(pixel, pixel + 3).every((part) => part <= BRIGHTEST_SHADOW);
    };
    let [left, right] = [0, width];
    while (left < right && isShadow(left)) left += 1;
    while (right > left && isShadow(right - 1)) right -= 1;
    if (left === right) continue;
    const last = parts.at(-1);
    if (last && last[0] === left && last[2] === right - left && last[1] + last[3] === y) last[3] += 1;
    else parts.push([left, y, right - left, 1]);
  }
  return parts;
}
