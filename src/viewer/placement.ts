import {
  clampToRemote,
  clientToRemote,
  insideRemote,
  pictureScale,
  remoteToClient,
  type Fit,
  type Point,
  type Size,
} from '../core/index.js';
import { BoxWatch, type Box } from './box-watch.js';

/** A picture that would be scaled by no more than this, in CSS pixels a side, keeps its pixels: to resample it would blur each letter. */
const TOLERANCE_PIXELS = 8;

/** How the picture is shifted for what somebody writes into. Pixels of the page. */
export interface PictureShift {
  /** Upwards. */
  up: number;
  /** What the picture is laid out for, where a phone's keyboard has made the container lower; undefined: for the container. */
  height: number | undefined;
  /** Of the container's lower end, what the keyboard is over. */
  covered: number;
}

/** How a remote screen lies on a canvas, and the canvas on the page. */
export class Placement {
  /** Called when the picture may lie elsewhere in its container; `exact`: it keeps its pixels there. */
  onPlaced: (exact: boolean) => void = () => undefined;
  #size: Size = { width: 0, height: 0 };
  #pixelRatio = 1;
  #fit: Fit;
  #box: Box | undefined;
  #onBox: (box: Box) => void = () => undefined;
  #shift: Pick<PictureShift, 'up' | 'height'> = { up: 0, height: undefined };
  /** The picture keeps its pixels, and the canvas lies on the device's. */
  #exact = false;
  readonly #watch: BoxWatch | undefined;

  /** @param container of the canvas, whose content box the picture is for; without it the picture is always scaled */
  constructor(
    readonly canvas: HTMLCanvasElement,
    fit: Fit,
    private readonly container?: HTMLElement,
  ) {
    this.#fit = fit;
    canvas.style.display = 'block';
    this.#place();
    this.#watch =
      container &&
      new BoxWatch(container, (box) => {
        this.#box = box;
        this.#place();
        this.#tellBox();
      });
  }

  /** Of the remote screen in its pixels; 0 before it is known. */
  get size(): Size {
    return this.#size;
  }

  set size(size: Size) {
    this.#size = size;
    this.#place();
  }

  /** Pixels of the remote screen for one of its pages' CSS pixels. */
  set pixelRatio(ratio: number) {
    this.#pixelRatio = ratio;
    this.#place();
  }

  /** Lays the picture out above a phone's keyboard. */
  set shift(shift: PictureShift) {
    this.#shift = shift;
    this.#place();
    this.#tellBox();
  }

  /** Called when the container has another box, and with the first one. */
  set onBox(listener: (box: Box) => void) {
    this.#onBox = listener;
    this.#tellBox();
  }

  get fit(): Fit {
    return this.#fit;
  }

  set fit(fit: Fit) {
    this.#fit = fit;
    this.#place();
  }

  /** The remote pixel at a position of the page; undefined beside the picture and before there is one. */
  toRemote(clientX: number, clientY: number): Point | undefined {
    const point = this.#clientToRemote(clientX, clientY);
    return point && insideRemote(point, this.size) ? clampToRemote(point, this.size) : undefined;
  }

  /** The remote pixel nearest to a position of the page; undefined before there is a picture. */
  nearestRemote(clientX: number, clientY: number): Point | undefined {
    const point = this.#clientToRemote(clientX, clientY);
    return point && clampToRemote(point, this.size);
  }

  /** The position of the page where a part of the remote screen is shown, `x` and `y` from 0 to 1. */
  toClient(x: number, y: number): Point {
    const { width, height } = this.size;
    const box = this.canvas.getBoundingClientRect();
    return remoteToClient({ x: x * width, y: y * height }, box, this.size, this.#shownFit);
  }

  /** Pixels of the page for one of the remote page. One figure for both directions; with the fit `fill` they differ, and the mean serves. */
  scale(): number {
    const { x, y } = pictureScale(this.canvas.getBoundingClientRect(), this.size, this.#shownFit);
    return Math.sqrt(x * y) * this.#pixelRatio || 1;
  }

  close(): void {
    this.#watch?.close();
    if (this.container) this.container.style.overflow = '';
  }

  /** What the picture is laid out for: a keyboard that makes the container lower does not make it smaller. */
  get #room(): Box | undefined {
    const { height } = this.#shift;
    if (!this.#box || height === undefined) return this.#box;
    const { css, device } = this.#box;
    const held = Math.round(height * devicePixelRatio);
    return { css: { ...css, height }, device: { ...device, height: held } };
  }

  #tellBox(): void {
    const room = this.#room;
    if (room) this.#onBox(room);
  }

  /** How the picture lies on the canvas itself. */
  get #shownFit(): Fit {
    return this.#exact ? 'fill' : this.#fit;
  }

  #clientToRemote(x: number, y: number): Point | undefined {
    return clientToRemote({ x, y }, this.canvas.getBoundingClientRect(), this.size, this.#shownFit);
  }

  #place(): void {
    const scale = this.#exactScale();
    const room = this.#room;
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
    this.onPlaced(this.#exact);
  }

  /** In the middle of the box, as far as whole pixels of the device go; what is larger is cut off at all sides. */
  #placeExactly(scale: number, room: Box): void {
    const box = room.device;
    const { style } = this.canvas;
    const ratio = devicePixelRatio;
    const [width, height] = [this.size.width * scale, this.size.height * scale];
    Object.assign(style, { width: `${width}px`, height: `${height}px`, margin: '0' });
    // The box itself may begin between two pixels. On a page that is written from right to left a box lies at its right end.
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

  /** What is cut off must not be a reason to scroll. */
  #crop(crops: boolean): void {
    if (this.container) this.container.style.overflow = crops ? 'clip' : '';
  }

  /** CSS pixels per remote pixel when the picture keeps its pixels; undefined when it is scaled to its box. */
  #exactScale(): number | undefined {
    const { width, height } = this.size;
    const box = this.#room?.css;
    if (!box || width === 0 || box.width === 0 || box.height === 0) return undefined;
    // A pixel for a pixel of the page, as the remote pages have them: several of the device's, when those are finer.
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
