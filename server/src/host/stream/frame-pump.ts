import { type FrameSource, union, type Rect } from '../capture/frame-source.js';
import type { EncodedFrame, Encoder } from '../encode/encoder.js';
import { Pictures } from '../encode/picture.js';

/** A frame on its way to the viewers of one output. */
export interface PumpedFrame extends EncodedFrame {
  /** Counts up from 1 for the output. */
  number: number;
  /** Microseconds on the host's monotonic clock when the picture was read, modulo 2^32. */
  captureTime: number;
  /** The picture did not change; this frame only sharpens it. */
  refinement: boolean;
  /** Where it differs from the frame before. */
  area: Rect;
}

/** Who the frames are for. */
export interface PumpSink {
  /** Some viewer has room for a frame now. The pump asks again after `wake`. */
  readonly ready: boolean;
  /** How scarce its bits are, from 0, plenty, to 1, spent. */
  readonly strain: number;
  /** Called right before the picture is read: what viewers did until now can be on it. */
  onCapture(): void;
  onFrame(frame: PumpedFrame): void;
}

/** One format that viewers take, with its encoder and the state of its stream. */
interface Output {
  encoder: Encoder;
  sink: PumpSink;
  /** What the encoder has not seen yet. */
  unseen: Rect | undefined;
  keyFrameWanted: boolean;
  number: number;
  /** Of the picture as viewers have it, see `EncodeRequest`. */
  sharpness: number;
  /** Where the picture is not as sharp as it gets. */
  coarse: Rect | undefined;
}

/** How sharp a picture becomes, so many milliseconds after its last change. */
const REFINEMENTS = [
  { after: 120, sharpness: 0.5 },
  { after: 320, sharpness: 1 },
] as const;

/**
 * Reads the screen when it changed and a viewer can take a frame, and gives it to the encoders. One frame is on its way at
 * a time; changes that come meanwhile wait for it together, so the newest picture always wins and nothing queues. A
 * picture at rest is sharpened in two steps; then nothing happens until the next change.
 */
export class FramePump {
  readonly #outputs = new Map<PumpSink, Output>();
  readonly #pictures: Pictures;
  #running = false;
  /** Settled when nothing is being done. */
  #idle: Promise<void> = Promise.resolve();
  #closed = false;
  #restTimer: NodeJS.Timeout | undefined;
  /** The sharpness that a picture at rest is due to get; 0 when none is due. */
  #sharpenTo = 0;
  #captureTime = 0;

  /** @param onError told when reading or encoding fails; the pump has stopped then */
  constructor(
    private readonly source: FrameSource,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#pictures = new Pictures(source.width, source.height);
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

  /** Adds a format; its first frame is a key frame. The pump closes the encoder. */
  add(sink: PumpSink, encoder: Encoder): void {
    this.#pictures.of(encoder.chroma);
    const output = { encoder, sink, keyFrameWanted: true, number: 0, sharpness: 0 };
    this.#outputs.set(sink, { ...output, unseen: this.#whole, coarse: this.#whole });
    this.wake();
  }

  /** Makes the sink's next frame a key frame, and sends one even if nothing changed. */
  requestKeyFrame(sink: PumpSink): void {
    const output = this.#outputs.get(sink);
    if (!output) return;
    output.keyFrameWanted = true;
    this.wake();
  }

  /** Something may be possible now that was not: damage, a viewer with room, a request. */
  wake(): void {
    if (!this.#running && !this.#closed) this.#idle = this.#run();
  }

  /** Stops; what is being read is thrown away. Resolves when the source, which is not ours to close, is not read any more. */
  close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      this.source.onDamage = undefined;
      clearTimeout(this.#restTimer);
      if (!this.#running) this.#free();
    }
    return this.#idle;
  }

  /** Does what there is to do. Nothing is awaited between the last look for work and the end, so no wake is lost. */
  async #run(): Promise<void> {
    this.#running = true;
    try {
      while (!this.#closed) {
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
      if (this.#closed) this.#free();
    }
  }

  /** The outputs that want a frame and have a viewer for it. */
  #work(): Output[] {
    const changed = this.#changed;
    return [...this.#outputs.values()].filter(
      ({ sink, unseen, keyFrameWanted }) => sink.ready && (changed || unseen !== undefined || keyFrameWanted),
    );
  }

  /** The pictures are not what is on the screen. */
  get #changed(): boolean {
    return this.source.damaged || !this.#pictures.complete;
  }

  async #capture(): Promise<void> {
    if (!this.#changed) return;
    for (const { sink } of this.#outputs.values()) sink.onCapture();
    this.#captureTime = clockMicros();
    const changed = await this.#pictures.read(this.source);
    if (!changed) return;
    this.#sharpenTo = 0;
    for (const output of this.#outputs.values()) {
      output.unseen = union(output.unseen, changed);
      output.coarse = union(output.coarse, changed);
      output.sharpness = 0;
    }
  }

  #encode(output: Output): void {
    const area = output.keyFrameWanted ? this.#whole : output.unseen;
    if (this.#closed || !area) return;
    const { encoder, sink, sharpness, keyFrameWanted: keyFrame } = output;
    output.unseen = undefined;
    output.keyFrameWanted = false;
    // What is sharp already stays so, but for a key frame, which is as sharp as is asked for all over.
    if (keyFrame && sharpness < 1) output.coarse = this.#whole;
    const request = { keyFrame, sharpness, strain: sink.strain, area };
    const frame = encoder.encode(this.#pictures.of(encoder.chroma), request);
    const captureTime = this.#captureTime;
    sink.onFrame({ ...frame, number: ++output.number, captureTime, refinement: false, area });
  }

  /** An output whose picture rests; where bits are scarce, it is tried again later. */
  #nextToSharpen(): Output | undefined {
    return [...this.#outputs.values()].find(
      ({ sink, sharpness }) => sink.ready && sink.strain === 0 && sharpness < this.#sharpenTo,
    );
  }

  /** Encodes in another thread: input is carried out meanwhile, and what that changes is read right afterwards. */
  async #sharpen(output: Output, sharpness: number): Promise<void> {
    const { encoder, sink, coarse: area = this.#whole } = output;
    const request = { keyFrame: false, sharpness, strain: 0, area };
    const frame = await encoder.encodeAside(this.#pictures.of(encoder.chroma), request);
    if (this.#closed) return;
    output.sharpness = sharpness;
    if (sharpness === 1) output.coarse = undefined;
    const captureTime = this.#captureTime;
    sink.onFrame({ ...frame, number: ++output.number, captureTime, refinement: true, area });
  }

  #scheduleRefinement(): void {
    clearTimeout(this.#restTimer);
    this.#sharpenTo = 0;
    // An output without a ready viewer is left alone; the viewer's next acknowledgement wakes us.
    const ready = [...this.#outputs.values()].filter((output) => output.sink.ready);
    const least = Math.min(...ready.map((output) => output.sharpness));
    const next = REFINEMENTS.find(({ sharpness }) => sharpness > least);
    if (!next || this.#closed) return;
    const before = REFINEMENTS[REFINEMENTS.indexOf(next) - 1]?.after ?? 0;
    this.#restTimer = setTimeout(() => {
      this.#sharpenTo = next.sharpness;
      this.wake();
    }, next.after - before);
  }

  #free(): void {
    for (const { encoder } of this.#outputs.values()) encoder.close();
    this.#outputs.clear();
    this.#pictures.close();
  }
}

/** The monotonic clock in microseconds, modulo 2^32. */
function clockMicros(): number {
  return Math.floor(performance.now() * 1000) >>> 0;
}
