import { SWS_AREA, SWS_BILINEAR } from 'node-av/constants';
import { Frame, SoftwareScaleContext } from 'node-av/lib';

/**
 * Blurs pictures that the coarsest quantiser cannot make small enough, for example noise on the whole screen.
 * Scales the picture down and then up again.
 */
export class Smoothing {
  readonly #steps = new Map<number, { small: Frame; down: SoftwareScaleContext; up: SoftwareScaleContext }>();
  #result: Frame | undefined;

  /** Returns a copy of a frame in which each pixel is an average over `factor` columns and rows. */
  smoothed(frame: Frame, factor: number): Frame {
    const result = (this.#result ??= emptyFrame(frame, 1));
    const { small, down, up } = this.#step(frame, factor);
    scale(down, frame, small);
    scale(up, small, result);
    result.pts = frame.pts;
    return result;
  }

  close(): void {
    for (const { small, down, up } of this.#steps.values()) {
      small.free();
      down.freeContext();
      up.freeContext();
    }
    this.#steps.clear();
    this.#result?.free();
    this.#result = undefined;
  }

  #step(frame: Frame, factor: number) {
    let step = this.#steps.get(factor);
    if (!step) {
      const small = emptyFrame(frame, factor);
      step = { small, down: scaler(frame, small, SWS_AREA), up: scaler(small, frame, SWS_BILINEAR) };
      this.#steps.set(factor, step);
    }
    return step;
  }
}

function emptyFrame({ format, width, height }: Frame, factor: number): Frame {
  const frame = new Frame();
  frame.alloc();
  frame.format = format;
  // 4:2:0 needs even sizes.
  frame.width = 2 * Math.ceil(width / factor / 2);
  frame.height = 2 * Math.ceil(height / factor / 2);
  frame.getBuffer();
  return frame;
}

function scaler(from: Frame, to: Frame, algorithm: typeof SWS_AREA) {
  const context = new SoftwareScaleContext();
  const size = ({ width, height }: Frame) => [width, height] as const;
  const [source, target] = [size(from), size(to)];
  const format = from.format as Parameters<SoftwareScaleContext['getContext']>[2];
  context.getContext(...source, format, ...target, format, algorithm);
  return context;
}

function scale(context: SoftwareScaleContext, from: Frame, to: Frame): void {
  if (!from.data || !to.data) return;
  context.scaleSync(from.data, from.linesize, 0, from.height, to.data, to.linesize);
}
