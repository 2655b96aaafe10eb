import { type FrameSource, union, type Rect } from '../capture/frame-source.js';
import type { EncodedFrame, Encoder } from '../encode/encoder.js';
import { ScreenImages } from '../encode/screen-image.js';
import { newOutput, type PumpOutput, type PumpSink } from './pump-output.js';
import { isReplaced } from './replaced-picture.js';

/**
 * Steps of the refinement: sharpness of a picture, by milliseconds since its last change. `slowly` is the
 * time for slow lines, where the second step comes later. That step is hard to see, but each of its packets
 * can be lost, and a lost packet delays the effect of the next input.
 */
const REFINEMENTS = [
  { after: 120, slowly: 120, sharpness: 0.5 },
  { after: 320, slowly: 1_000, sharpness: 1 },
] as const;

/**
 * Height in pixels of the area that is encoded to repeat a picture. It is the smallest height that 4:2:0
 * chroma allows.
 */
const REPEATED_ROWS = 2;

/**
 * Reads the screen when it has changed and a viewer can receive a frame, and passes the picture to the
 * encoders. One frame is processed at a time. Changes that arrive meanwhile are read together for the next
 * frame. So viewers always get the newest picture, and no queue builds up. A picture at rest is sharpened in
 * two steps. Then nothing happens until the next change.
 */
export class FramePump {
  readonly #outputs = new Map<PumpSink, PumpOutput>();
  readonly #pictures: ScreenImages;
  /** Encoders of removed formats. They may still be encoding a frame, and are closed afterwards. */
  readonly #removed: Encoder[] = [];
  #running = false;
  /** True while the screen is read. No encoder works meanwhile. */
  #reading = false;
  /** Settled when the pump is idle. */
  #idle: Promise<void> = Promise.resolve();
  #closed = false;
  #restTimer: NodeJS.Timeout | undefined;
  /** Sharpness that a picture at rest should get. 0 if no refinement is due. */
  #sharpenTo = 0;
  #captureTime = 0;

  /** @param onError called when reading or encoding fails. The pump has stopped then */
  constructor(
    private readonly source: FrameSource,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#pictures = new ScreenImages(source.width, source.height);
    source.onDamage = () => this.wake();
  }

  get #whole(): Rect {
    const { width, height } = this.source;
    return { x: 0, y: 0, width, height };
  }

  get size(): { width: number; height: number; codedWidth: number; codedHeight: number } {
    const { width, height } = this.source;
    return { width, height, codedWidth: width + (width % 2), codedHeight: height + (height % 2) };
  }

  /** Adds a format. Its first frame is a key frame. The pump closes the encoder. */
  add(sink: PumpSink, encoder: Encoder): void {
    this.#pictures.of(encoder.chroma);
    this.#outputs.set(sink, newOutput(sink, encoder, this.#whole));
    this.wake();
  }

  /** Removes a format and closes its encoder, after the frame that is being encoded. */
  remove(sink: PumpSink): void {
    const output = this.#outputs.get(sink);
    if (!output) return;
    this.#outputs.delete(sink);
    this.#removed.push(output.encoder);
    if (!this.#running) this.#closeRemoved();
  }

  /** Makes the sink's next frame a key frame, and sends one even if nothing changed. */
  requestKeyFrame(sink: PumpSink): void {
    const output = this.#outputs.get(sink);
    if (!output) return;
    output.keyFrameWanted = true;
    this.wake();
  }

  /**
   * Sends a frame even if nothing changed. The frame repeats the picture in about a hundred bytes, because
   * the encoder skips unchanged blocks.
   */
  refresh(sink: PumpSink): void {
    const output = this.#outputs.get(sink);
    if (!output) return;
    output.unseen ??= { ...this.#whole, height: Math.min(REPEATED_ROWS, this.source.height) };
    this.wake();
  }

  /** Checks for work. Call it after the screen has changed, after a request, or when a viewer has room. */
  wake(): void {
    if (!this.#running && !this.#closed) this.#idle = this.#run();
  }

  /**
   * Stops the pump and discards a picture that is being read. Resolves when the pump has stopped reading the
   * source. If the display has ended, a read never ends. So the encoders are closed without waiting for the
   * read. The caller owns the source and closes it.
   */
  close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      this.source.onDamage = undefined;
      clearTimeout(this.#restTimer);
      if (!this.#running) this.#free();
      else if (this.#reading) this.#closeEncoders();
    }
    return this.#idle;
  }

  /**
   * Processes all pending work. Contains no `await` between the last check for work and the end of the
   * method. So no call of `wake` in between is lost.
   */
  async #run(): Promise<void> {
    this.#running = true;
    try {
      while (!this.#closed) {
        this.#closeRemoved();
        const work = this.#work();
        if (work.length > 0) {
          await this.#capture();
          for (const output of work) this.#encode(output);
          continue;
        }
        const output = this.#nextToSharpen();
        if (!output) break;
        await this.#sharpen(output, this.#sharpenTo);
      }
      this.#scheduleRefinement();
    } catch (error) {
      if (!this.#closed) this.onError(error);
    } finally {
      this.#running = false;
      this.#closeRemoved();
      if (this.#closed) this.#free();
    }
  }

  /** Outputs that need a frame and have a viewer that can receive it. */
  #work(): PumpOutput[] {
    const changed = this.#changed;
    return [...this.#outputs.values()].filter(
      ({ sink, unseen, keyFrameWanted }) => sink.ready && (changed || unseen !== undefined || keyFrameWanted),
    );
  }

  /** True if the pictures are older than the screen. */
  get #changed(): boolean {
    return this.source.damaged || !this.#pictures.complete;
  }

  async #capture(): Promise<void> {
    if (!this.#changed) return;
    for (const { sink } of this.#outputs.values()) sink.onCapture();
    this.#captureTime = clockMicros();
    const changed = await this.#read();
    if (!changed) return;
    this.#sharpenTo = 0;
    for (const output of this.#outputs.values()) {
      const { change } = this.#pictures.of(output.encoder.chroma);
      if (output.sharpness > 0 && isReplaced(change, changed, this.#whole)) output.replaced = true;
      output.unseen = union(output.unseen, changed);
      output.coarse = union(output.coarse, changed);
      output.sharpness = 0;
      output.bands.restart();
    }
  }

  async #read(): Promise<Rect | undefined> {
    this.#reading = true;
    try {
      return await this.#pictures.read(this.source);
    } finally {
      this.#reading = false;
    }
  }

  #encode(output: PumpOutput): void {
    const { encoder, sink } = output;
    const maxBytes = sink.frameBytes;
    // If bytes are limited, a replaced picture gets no key frame, because reusing parts of the previous
    // picture can save bytes.
    const keyFrame = output.keyFrameWanted || (output.replaced && maxBytes === Infinity);
    const area = keyFrame ? this.#whole : output.unseen;
    if (!this.#isUsed(output) || !area) return;
    // A key frame with limited bytes is coarse everywhere, and is refined afterwards.
    if (keyFrame && maxBytes !== Infinity) output.sharpness = 0;
    const { sharpness } = output;
    output.unseen = undefined;
    output.keyFrameWanted = false;
    output.replaced = false;
    // Sharp areas stay sharp, except in a key frame, which is encoded at the requested sharpness everywhere.
    if (keyFrame && sharpness < 1) {
      output.coarse = this.#whole;
      output.bands.restart();
    }
    const request = { keyFrame, sharpness, strain: sink.strain, area, maxBytes };
    const frame = encoder.encode(this.#pictures.of(encoder.chroma), request);
    this.#send(output, frame, false, area);
  }

  /**
   * Returns an output whose picture must be sharpened now. Skips outputs whose bits are scarce. A later run
   * of the pump tries them again.
   */
  #nextToSharpen(): PumpOutput | undefined {
    return [...this.#outputs.values()].find(
      ({ sink, sharpness }) =>
        sharpness < this.#sharpenTo && sink.ready && sink.strain === 0 && sink.refinementWait === 0,
    );
  }

  /**
   * Refines the picture of an output. Encodes in another thread, so that the host can handle input meanwhile.
   */
  async #sharpen(output: PumpOutput, sharpness: number): Promise<void> {
    const { encoder, sink, coarse = this.#whole, bands } = output;
    const { area, isLast } = bands.next(coarse, encoder.refinesAreas ? sink.bandBytes : Infinity);
    const request = { keyFrame: false, sharpness, strain: 0, area, areaOnly: area !== coarse };
    const frame = await encoder.encodeAside(this.#pictures.of(encoder.chroma), request);
    if (!this.#isUsed(output)) return;
    bands.sent(area, frame.data.length);
    if (isLast) {
      output.sharpness = sharpness;
      bands.restart();
      if (sharpness === 1) output.coarse = undefined;
    }
    this.#send(output, frame, true, area);
  }

  /**
   * Sends a frame. A frame that repeats the picture gets an empty area, so that viewers need not paint the
   * whole screen again. Chromium often draws a page a second time 20 ms after a large change, without a
   * difference.
   */
  #send(output: PumpOutput, frame: EncodedFrame, refinement: boolean, changed: Rect): void {
    const area = frame.repeats ? { ...changed, width: 0, height: 0 } : changed;
    const captureTime = this.#captureTime;
    output.sink.onFrame({ ...frame, number: ++output.number, captureTime, refinement, area });
  }

  #scheduleRefinement(): void {
    clearTimeout(this.#restTimer);
    this.#sharpenTo = 0;
    // An output without a ready viewer is skipped. The viewer's next acknowledgement wakes the pump.
    const ready = [...this.#outputs.values()].filter((output) => output.sink.ready);
    const least = Math.min(...ready.map((output) => output.sharpness));
    const next = REFINEMENTS.find(({ sharpness }) => sharpness > least);
    if (!next || this.#closed) return;
    const before = REFINEMENTS[REFINEMENTS.indexOf(next) - 1];
    const time = ready.every(({ sink }) => sink.bandBytes === Infinity) ? 'after' : 'slowly';
    const hasStarted = ready.some(({ bands, sink }) => bands.hasStarted && sink.strain === 0);
    const rest = hasStarted ? 1 : next[time] - (before?.[time] ?? 0);
    const line = Math.min(...ready.map(({ sink }) => sink.refinementWait));
    this.#restTimer = setTimeout(
      () => {
        this.#sharpenTo = next.sharpness;
        this.wake();
      },
      Math.max(rest, Math.ceil(line)),
    );
  }

  #isUsed({ sink }: PumpOutput): boolean {
    return !this.#closed && this.#outputs.has(sink);
  }

  #closeRemoved(): void {
    for (const encoder of this.#removed.splice(0)) encoder.close();
  }

  #closeEncoders(): void {
    this.#closeRemoved();
    for (const { encoder } of this.#outputs.values()) encoder.close();
    this.#outputs.clear();
  }

  #free(): void {
    this.#closeEncoders();
    this.#pictures.close();
  }
}

/** The monotonic clock in microseconds, modulo 2^32. */
function clockMicros(): number {
  return Math.floor(performance.now() * 1000) >>> 0;
}
