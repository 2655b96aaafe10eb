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

/** How the picture is shifted for what somebody writes into. Pixels of the page. */
export interface PictureShift {
  /** Upwards. */
  up: number;
  /** What the picture is laid out for, where a phone's keyboard has made the container lower; undefined: for the container. */
  height: number | undefined;
  /** Of the container's lower end, what the keyboard is over. */
  covered: number;
}

/** Shifts what shows the picture. */
export function shiftPicture({ style }: HTMLElement, { up, height }: PictureShift): void {
  style.transform = up === 0 ? '' : `translateY(${-up}px)`;
  style.height = height === undefined ? '100%' : `${height}px`;
}

/** How a remote screen lies on a canvas, and the canvas on the page. */
export class Placement {
  /** Of the remote screen in its pixels; 0 before it is known. */
  size: Size = { width: 0, height: 0 };
  #fit: Fit;

  constructor(
    readonly canvas: HTMLCanvasElement,
    fit: Fit,
  ) {
    this.#fit = fit;
    const { style } = canvas;
    style.display = 'block';
    style.width = '100%';
    style.height = '100%';
    style.objectFit = fit;
  }

  /** Lays the picture out above a phone's keyboard. */
  set shift(shift: PictureShift) {
    shiftPicture(this.canvas, shift);
  }

  get fit(): Fit {
    return this.#fit;
  }

  set fit(fit: Fit) {
    this.#fit = fit;
    this.canvas.style.objectFit = fit;
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
    return remoteToClient({ x: x * width, y: y * height }, box, this.size, this.#fit);
  }

  /** Pixels of the page for a remote one. One figure for both directions; with the fit `fill` they differ, and the mean serves. */
  scale(): number {
    const { x, y } = pictureScale(this.canvas.getBoundingClientRect(), this.size, this.#fit);
    return Math.sqrt(x * y) || 1;
  }

  #clientToRemote(x: number, y: number): Point | undefined {
    return clientToRemote({ x, y }, this.canvas.getBoundingClientRect(), this.size, this.#fit);
  }
}
