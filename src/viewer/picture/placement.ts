import { EventEmitter } from 'eventemitter3';
import {
  clampToRemote,
  clientToRemote,
  insideRemote,
  pictureScale,
  remoteToClient,
  type Fit,
  type Point,
  type Size,
} from '../../core/index.js';
import { BoxWatch, type Box } from '../controls/box-watch.js';
import { CanvasProbe, plainView, type CanvasView } from './canvas-view.js';

/**
 * Largest difference per side between the picture and its box at which the picture is not scaled. Scaling
 * blurs text. CSS pixels.
 */
const TOLERANCE_PIXELS = 8;

/**
 * Styles that pages often have for all canvases would scale the picture, or move it away from the box of its
 * canvas.
 */
const CANVAS_STYLE = {
  display: 'block',
  border: '0',
  padding: '0',
  minWidth: '0',
  minHeight: '0',
  maxWidth: 'none',
  maxHeight: 'none',
} satisfies Partial<CSSStyleDeclaration>;

/** Shift of the picture for the focused remote field. Pixels of the page. */
export interface PictureShift {
  /** Upward shift. */
  up: number;
  /**
   * Height for the layout of the picture after a phone's keyboard made the container smaller. If undefined,
   * the height of the container applies.
   */
  height: number | undefined;
  /** Height of the container's lower part that the keyboard covers. */
  covered: number;
}

/** Events of a placement and their arguments. */
export interface PlacementEvents {
  /** The picture may have moved in its container. `exact` is true if it is shown without scaling. */
  place: [exact: boolean];
  /** The container was measured for the first time, or {@link Placement.box} changed. */
  box: [box: Box];
}

/** Position of the remote screen on a canvas, and of the canvas on the page. */
export class Placement extends EventEmitter<PlacementEvents> {
  #size: Size = { width: 0, height: 0 };
  #pixelRatio = 1;
  #fit: Fit;
  /** Box of the container as it was measured. */
  #measured: Box | undefined;
  #shift: Pick<PictureShift, 'up' | 'height'> = { up: 0, height: undefined };
  /** True if the picture is not scaled and is aligned to device pixels. */
  #exact = false;
  readonly #watch: BoxWatch | undefined;
  /** Created at the first position lookup. */
  #probe: CanvasProbe | undefined;

  /**
   * @param container container of the canvas. The picture fills its content box. Without a container the
   *   picture is always scaled
   */
  constructor(
    readonly canvas: HTMLCanvasElement,
    fit: Fit,
    private readonly container?: HTMLElement,
  ) {
    super();
    this.#fit = fit;
    Object.assign(canvas.style, CANVAS_STYLE);
    this.#place();
    this.#watch =
      container &&
      new BoxWatch(container, (box) => {
        this.#measured = box;
        this.#place();
        this.#emitBox();
      });
  }

  /** Size of the remote screen in its pixels. 0 before it is available. */
  get size(): Size {
    return this.#size;
  }

  set size(size: Size) {
    this.#size = size;
    this.#place();
  }

  /** Number of remote screen pixels per CSS pixel of the remote page. */
  get pixelRatio(): number {
    return this.#pixelRatio;
  }

  set pixelRatio(ratio: number) {
    this.#pixelRatio = ratio;
    this.#place();
  }

  /** Shifts the picture above a phone's keyboard. */
  set shift(shift: PictureShift) {
    this.#shift = shift;
    this.#place();
    this.#emitBox();
  }

  /**
   * Box for the layout of the picture. If a keyboard shrinks the container, this box stays the same.
   * Undefined before the container was measured.
   */
  get box(): Box | undefined {
    const { height } = this.#shift;
    if (!this.#measured || height === undefined) return this.#measured;
    const { css, device } = this.#measured;
    const held = Math.round(height * devicePixelRatio);
    return { css: { ...css, height }, device: { ...device, height: held } };
  }

  get fit(): Fit {
    return this.#fit;
  }

  set fit(fit: Fit) {
    this.#fit = fit;
    this.#place();
  }

  /**
   * Returns the remote pixel at a client position. Undefined outside the picture, and before the first
   * picture.
   */
  toRemote(clientX: number, clientY: number): Point | undefined {
    const point = this.#clientToRemote(clientX, clientY);
    return point && insideRemote(point, this.size) ? clampToRemote(point, this.size) : undefined;
  }

  /** Returns the remote pixel nearest to a client position. Undefined before there is a picture. */
  nearestRemote(clientX: number, clientY: number): Point | undefined {
    const point = this.#clientToRemote(clientX, clientY);
    return point && clampToRemote(point, this.size);
  }

  /** Returns the client position of a point of the remote screen, with `x` and `y` from 0 to 1. */
  toClient(x: number, y: number): Point {
    const { width, height } = this.size;
    const view = this.#view;
    const shown = remoteToClient({ x: x * width, y: y * height }, view.box, this.size, this.#shownFit);
    return view.toClient(shown);
  }

  /**
   * Converts a client position to the container's own pixels, also under CSS transforms. The origin is the
   * place of a child with `left: 0; top: 0`.
   */
  toContainer(clientX: number, clientY: number): Point {
    return this.#view.toContainer({ x: clientX, y: clientY });
  }

  /**
   * Returns the number of page pixels per remote CSS pixel. With the fit `fill` and with transforms it may
   * differ between directions. Then the result is the geometric mean. 1 before the first picture.
   */
  scale(): number {
    const { width, height } = this.size;
    const [from, right, low] = [this.toClient(0, 0), this.toClient(1, 0), this.toClient(0, 1)];
    const area = (right.x - from.x) * (low.y - from.y) - (right.y - from.y) * (low.x - from.x);
    return Math.sqrt(Math.abs(area) / (width * height)) * this.#pixelRatio || 1;
  }

  close(): void {
    this.#watch?.close();
    this.#probe?.close();
    if (this.container) this.container.style.overflow = '';
  }

  #emitBox(): void {
    const { box } = this;
    if (box) this.emit('box', box);
  }

  /** The value of `object-fit` for the canvas. */
  get #shownFit(): Fit {
    return this.#exact ? 'fill' : this.#fit;
  }

  #clientToRemote(x: number, y: number): Point | undefined {
    const view = this.#view;
    return clientToRemote(view.toBox({ x, y }), view.box, this.size, this.#shownFit);
  }

  get #view(): CanvasView {
    if (!this.container) return plainView(this.canvas.getBoundingClientRect());
    this.#probe ??= new CanvasProbe(this.canvas, this.container);
    return this.#probe.view;
  }

  #place(): void {
    const scale = this.#exactScale();
    const room = this.box;
    const { up, height } = this.#shift;
    this.#exact = scale !== undefined;
    const { style } = this.canvas;
    style.objectFit = this.#shownFit;
    style.transform = up === 0 ? '' : `translateY(${-up}px)`;
    if (scale === undefined || !room) {
      Object.assign(style, {
        width: '100%',
        height: height === undefined ? '100%' : `${height}px`,
        margin: '',
      });
      this.#crop(false);
    } else {
      this.#placeExactly(scale, room);
    }
    this.emit('place', this.#exact);
  }

  /** Centers the picture in the box, on whole device pixels. A larger picture is cropped on all sides. */
  #placeExactly(scale: number, room: Box): void {
    const box = room.device;
    const { style } = this.canvas;
    const ratio = devicePixelRatio;
    const [width, height] = [this.size.width * scale, this.size.height * scale];
    Object.assign(style, { width: `${width}px`, height: `${height}px`, margin: '0' });
    // The box itself may start between two device pixels. On a right-to-left page the canvas is aligned to
    // the right end.
    const { left, top } = this.canvas.getBoundingClientRect();
    const before = getComputedStyle(this.canvas).direction === 'rtl' ? room.css.width - width : 0;
    const offset = (from: number, room: number, picture: number): number => {
      const between = Math.round(from * ratio) - from * ratio;
      return (Math.trunc((room - picture * ratio) / 2) + between) / ratio;
    };
    const x = offset(left - before, box.width, width);
    style.margin = `${offset(top + this.#shift.up, box.height, height)}px ${before - x}px 0 ${x}px`;
    this.#crop(width * ratio > box.width || height * ratio > box.height);
  }

  /** Crops the container, so that hidden parts of the picture do not cause scroll bars. */
  #crop(crops: boolean): void {
    if (this.container) this.container.style.overflow = crops ? 'clip' : '';
  }

  /**
   * Returns the CSS pixels per remote pixel if the picture is not scaled. Undefined if it is scaled to its
   * box.
   */
  #exactScale(): number | undefined {
    const { width, height } = this.size;
    const box = this.box?.css;
    if (!box || width === 0 || box.width === 0 || box.height === 0) return undefined;
    // The scale at which a remote CSS pixel has the size of a CSS pixel of the page.
    const natural = 1 / this.#pixelRatio;
    if (this.#fit === 'none') return natural;
    const { x, y } = pictureScale(box, this.size, this.#fit);
    const isNear = (scale: number): boolean =>
      Math.abs(x - scale) * width <= TOLERANCE_PIXELS && Math.abs(y - scale) * height <= TOLERANCE_PIXELS;
    const candidates = [1 / devicePixelRatio];
    if (isWhole(devicePixelRatio * natural) || isWhole(1 / (devicePixelRatio * natural)))
      candidates.push(natural);
    return candidates.find(isNear);
  }
}

function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) < 1e-6;
}
