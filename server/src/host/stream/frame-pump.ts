import type { FrameSource } from '../capture/frame-source.js';
import { union, type Rect } from '../capture/rect.js';
import type { EncodedFrame, Encoder, EncodeRequest } from '../encode/encoder.js';
import type { Picture } from '../encode/picture.js';
import { Pictures } from '../encode/pictures.js';

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
  /** Of the picture as viewers have it, see {@link EncodeRequest.sharpness}. */
  sharpness: number;
  /** Where the picture is not as fine as it gets. */
  coarse: Rect | undefined;
}

/** Rest, and then this fine, so many milliseconds after the last change. */
const REFINEMENTS = [
  { after: 120, sharpness: 0.5 },
  { after: 320, sharpness: 1 },
] as const;

/**
 * Reads the screen when it changed and somebody can take a frame, and gives it to the encoders. One frame is on its way at
 * a time; changes that come meanwhile wait for it together, so the newest picture always wins and nothing queues. A
 * picture at rest is sharpened in two steps; then nothing happens until the next change.
 */
export class FramePump {
  readonly #outputs = new Map<PumpSink, Output>();
  readonly #pictures: Pictures;
  #damaged = true;
  #running = false;
  /** Settled when nothing is being done. */
  #idle: Promise<void> = Promise.resolve();
  /** Something was to be done while something else was. */
  #again = false;
  #closed = false;
  #restTimer: NodeJS.Timeout | undefined;
  #captureTime = 0;

  /** @param onError told when reading or encoding fails; the pump has stopped then */
  constructor(
    private readonly source: FrameSource,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#pictures = new Pictures(source.width, source.height);
    source.onDamage = () => {
      this.#damaged = true;
      this.wake();
    };
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
    if (!this.#pictures.complete) this.#damaged = true;
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
    this.#occupy(() => this.#run());
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

  async #run(): Promise<void> {
    for (let work = this.#work(); work.length > 0 && !this.#closed; work = this.#work()) {
      await this.#capture();
      for (const output of work) this.#encode(output);
    }
    this.#scheduleRefinement();
  }

  /** The outputs that want a frame and have a viewer for it. */
  #work(): Output[] {
    return [...this.#outputs.values()].filter(
      (output) =>
        output.sink.ready && (this.#damaged || output.unseen !== undefined || output.keyFrameWanted),
    );
  }

  async #capture(): Promise<void> {
    if (!this.#damaged) return;
    this.#damaged = false;
    for (const { sink } of this.#outputs.values()) sink.onCapture();
    this.#captureTime = clockMicros();
    const changed = await this.#pictures.read(this.source);
    if (!changed) return;
    for (const output of this.#outputs.values()) {
      output.unseen = union(output.unseen, changed);
      output.coarse = union(output.coarse, changed);
      output.sharpness = 0;
    }
  }

  #encode(output: Output): void {
    const area = output.keyFrameWanted ? this.#whole : output.unseen;
    if (this.#closed || !area) return;
    const { strain } = output.sink;
    const request = { keyFrame: output.keyFrameWanted, sharpness: output.sharpness, strain, area };
    output.unseen = undefined;
    output.keyFrameWanted = false;
    // What is sharp already stays so, but for a key frame, which is as fine as is asked for all over.
    if (request.keyFrame && request.sharpness < 1) output.coarse = this.#whole;
    this.#pass(output, output.encoder.encode(this.#pictureFor(output), request), request, false);
  }

  #pictureFor({ encoder }: Output): Picture {
    return this.#pictures.of(encoder.chroma);
  }

  /** In another thread: what people do meanwhile is carried out, and what that changes is seen right afterwards. */
  async #sharpen(output: Output, sharpness: number): Promise<void> {
    const area = output.coarse;
    if (!area) return;
    const request = { keyFrame: false, sharpness, strain: 0, area };
    const frame = await output.encoder.encodeAside(this.#pictureFor(output), request);
    if (this.#closed) return;
    output.sharpness = sharpness;
    if (sharpness === 1) output.coarse = undefined;
    this.#pass(output, frame, request, true);
  }

  #pass(output: Output, frame: EncodedFrame, { area }: EncodeRequest, refinement: boolean): void {
    const number = ++output.number;
    output.sink.onFrame({ ...frame, number, captureTime: this.#captureTime, refinement, area });
  }

  #scheduleRefinement(): void {
    clearTimeout(this.#restTimer);
    // An output without a ready viewer is left alone; the viewer's next acknowledgement wakes us.
    const ready = [...this.#outputs.values()].filter((output) => output.sink.ready);
    const coarsest = Math.min(...ready.map((output) => output.sharpness));
    const next = REFINEMENTS.find(({ sharpness }) => sharpness > coarsest);
    if (!next || this.#closed) return;
    const before = REFINEMENTS[REFINEMENTS.indexOf(next) - 1]?.after ?? 0;
    this.#restTimer = setTimeout(() => this.#refine(next.sharpness), next.after - before);
  }

  #refine(sharpness: number): void {
    this.#occupy(async () => {
      for (const output of this.#outputs.values()) {
        // A key frame that is wanted meanwhile, or a change, comes first; where bits are scarce, it is tried again later.
        const due = output.sink.ready && output.sink.strain === 0 && output.sharpness < sharpness;
        if (due && !this.#damaged && !this.#closed) await this.#sharpen(output, sharpness);
      }
      await this.#run();
    });
  }

  /** Does something alone; when something is being done already, whatever there is to do is done after it. */
  #occupy(work: () => Promise<void>): void {
    if (this.#closed) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = true;
    this.#again = false;
    this.#idle = work()
      .catch((error: unknown) => {
        if (!this.#closed) this.onError(error);
      })
      .finally(() => {
        this.#running = false;
        if (this.#closed) this.#free();
        else if (this.#again) this.wake();
      });
  }

  #free(): void {
    for (const { encoder } of this.#outputs.values()) encoder.close();
    this.#outputs.clear();
    this.#pictures.close();
  }
}

function clockMicros(): number {
  return Math.floor(performance.now() * 1000) >>> 0;
}
