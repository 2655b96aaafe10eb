import type { FrameSource } from '../capture/frame-source.js';
import type { Encoder, EncodedFrame } from './encoder.js';
import { Picture } from './picture.js';

/** A frame on its way to the viewers of one output. */
export interface PumpedFrame extends EncodedFrame {
  /** Counts up from 1 for the output. */
  number: number;
  /** Microseconds on the host's monotonic clock when the picture was read, modulo 2^32. */
  captureTime: number;
  /** The picture did not change; this frame only sharpens it. */
  refinement: boolean;
}

/** Who the frames are for. */
export interface PumpSink {
  /** Some viewer has room for a frame now. The pump asks again after `wake`. */
  readonly ready: boolean;
  /** Called right before the picture is read: what viewers did until now can be on it. */
  onCapture(): void;
  onFrame(frame: PumpedFrame): void;
}

/** One format that viewers take, with its encoder and the state of its stream. */
interface Output {
  encoder: Encoder;
  sink: PumpSink;
  /** What the encoder has not seen yet. */
  stale: boolean;
  keyFrameWanted: boolean;
  number: number;
  /** The fineness of the picture as viewers have it, 0 to 1. */
  fineness: number;
}

/** Rest, and then this fine, so many milliseconds after the last change. */
const REFINEMENTS = [
  { after: 120, fineness: 0.5 },
  { after: 320, fineness: 1 },
] as const;

/**
 * Reads the screen when it changed and somebody can take a frame, and gives it to the encoders. One frame is on its way at
 * a time; changes that come meanwhile wait for it together, so the newest picture always wins and nothing queues. A
 * picture at rest is sharpened in two steps; then nothing happens until the next change.
 */
export class FramePump {
  readonly #outputs = new Map<PumpSink, Output>();
  readonly #picture: Picture;
  #everything = true;
  #damaged = true;
  #running = false;
  #closed = false;
  #restTimer: NodeJS.Timeout | undefined;
  #captureTime = 0;

  /** @param onError told when reading or encoding fails; the pump has stopped then */
  constructor(
    private readonly source: FrameSource,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#picture = new Picture(source.width, source.height);
    source.onDamage = () => {
      this.#damaged = true;
      this.wake();
    };
  }

  get size(): { width: number; height: number; codedWidth: number; codedHeight: number } {
    const { width, height, codedWidth, codedHeight } = this.#picture;
    return { width, height, codedWidth, codedHeight };
  }

  /** Adds a format; its first frame is a key frame. The pump closes the encoder. */
  add(sink: PumpSink, encoder: Encoder): void {
    this.#outputs.set(sink, { encoder, sink, stale: true, keyFrameWanted: true, number: 0, fineness: 0 });
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
    if (this.#running || this.#closed) return;
    void this.#run().catch((error: unknown) => {
      if (!this.#closed) this.onError(error);
    });
  }

  /** Stops; what is being read is thrown away. The source stays open: it is not ours. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.source.onDamage = undefined;
    clearTimeout(this.#restTimer);
    if (!this.#running) this.#free();
  }

  async #run(): Promise<void> {
    this.#running = true;
    try {
      for (let work = this.#work(); work.length > 0 && !this.#closed; work = this.#work()) {
        await this.#capture();
        for (const output of work) this.#encode(output, output.fineness);
      }
    } finally {
      this.#running = false;
      if (this.#closed) this.#free();
    }
    this.#scheduleRefinement();
  }

  /** The outputs that want a frame and have a viewer for it. */
  #work(): Output[] {
    return [...this.#outputs.values()].filter(
      (output) => output.sink.ready && (this.#damaged || output.stale || output.keyFrameWanted),
    );
  }

  async #capture(): Promise<void> {
    if (!this.#damaged) return;
    this.#damaged = false;
    for (const { sink } of this.#outputs.values()) sink.onCapture();
    this.#captureTime = clockMicros();
    const changed = await this.#picture.read(this.source, this.#everything);
    this.#everything = false;
    if (!changed) return;
    for (const output of this.#outputs.values()) {
      output.stale = true;
      output.fineness = 0;
    }
  }

  #encode(output: Output, fineness: number, refinement = false): void {
    const nothing = !output.stale && !output.keyFrameWanted && !refinement;
    if (this.#closed || nothing) return;
    const keyFrame = output.keyFrameWanted;
    output.stale = false;
    output.keyFrameWanted = false;
    const frame = output.encoder.encode(this.#picture, { keyFrame, fineness });
    output.fineness = fineness;
    output.number++;
    output.sink.onFrame({ ...frame, number: output.number, captureTime: this.#captureTime, refinement });
  }

  #scheduleRefinement(): void {
    clearTimeout(this.#restTimer);
    // An output without a ready viewer is left alone; the viewer's next acknowledgement wakes us.
    const ready = [...this.#outputs.values()].filter((output) => output.sink.ready);
    const coarsest = Math.min(...ready.map((output) => output.fineness));
    const next = REFINEMENTS.find(({ fineness }) => fineness > coarsest);
    if (!next || this.#closed) return;
    const before = REFINEMENTS[REFINEMENTS.indexOf(next) - 1]?.after ?? 0;
    this.#restTimer = setTimeout(() => this.#refine(next.fineness), next.after - before);
  }

  #refine(fineness: number): void {
    // Whoever is at work looks after the rest when it is done.
    if (this.#running || this.#closed) return;
    try {
      for (const output of this.#outputs.values()) {
        if (output.sink.ready && output.fineness < fineness) this.#encode(output, fineness, true);
      }
    } catch (error) {
      this.onError(error);
      return;
    }
    this.#scheduleRefinement();
  }

  #free(): void {
    for (const { encoder } of this.#outputs.values()) encoder.close();
    this.#outputs.clear();
    this.#picture.close();
  }
}

function clockMicros(): number {
  return Math.floor(performance.now() * 1000) >>> 0;
}
