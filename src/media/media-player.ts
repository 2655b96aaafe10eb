import type { MediaPacket, StreamInfo } from '../protocol/index.js';
import type { PaintedFrame, StageListener } from './decoded.js';
import { MediaMeter, type MediaFigures } from './media-meter.js';
import { Stage } from './stage.js';
import { startDecodeWorker, WorkerStage } from './worker-stage.js';

/** What a player asks of the connection and tells its owner. */
export interface PlayerListener {
  /** The host is to be told that this frame needs no more time of this viewer. */
  acknowledge(stream: number, frame: number): void;
  requestKeyFrame(stream: number): void;
  /** Milliseconds since the input event `inputSeq` was sent, if this painting is the first to show it. */
  inputLatency(inputSeq: number): number | undefined;
  onPainted(painted: PaintedFrame): void;
  /** The size of the picture is known, or another than before. */
  onResize(width: number, height: number): void;
  /** This kind of media cannot be decoded here; images always can. */
  onFailed(message: string): void;
  /** Nothing can be shown at all on this canvas. */
  onError(error: Error): void;
}

/** What a player is made of. */
export interface PlayerOptions {
  /** Its control may be given to a worker: nothing else can paint on it then, but it can be read. */
  canvas: HTMLCanvasElement;
  acceleration: HardwareAcceleration;
  /** `auto`: in a worker where there can be one. */
  thread: 'auto' | 'main';
}

type Act = (stage: Stage | WorkerStage) => void;

/** Plays streams on one canvas: decoding, painting, acknowledging, measuring. */
export class MediaPlayer {
  readonly #listener: PlayerListener;
  readonly #meter = new MediaMeter();
  /** What came before the stage was there. */
  #queue: Act[] = [];
  #stage: Stage | WorkerStage | undefined;
  #size = { width: 0, height: 0 };
  #closed = false;

  constructor(options: PlayerOptions, listener: PlayerListener) {
    this.#listener = listener;
    void this.#start(options);
  }

  setStream(stream: StreamInfo): void {
    this.#act((stage) => stage.setStream(stream));
  }

  push(packet: MediaPacket): void {
    this.#meter.received(packet.payload.byteLength, performance.now());
    this.#act((stage) => stage.push(packet));
  }

  figures(): MediaFigures {
    return this.#meter.snapshot(performance.now());
  }

  close(): void {
    this.#closed = true;
    this.#queue = [];
    this.#stage?.close();
    this.#stage = undefined;
  }

  #act(act: Act): void {
    if (this.#stage) act(this.#stage);
    else if (!this.#closed) this.#queue.push(act);
  }

  async #start({ canvas, acceleration, thread }: PlayerOptions): Promise<void> {
    const worker = thread === 'auto' ? await startDecodeWorker() : undefined;
    if (this.#closed) {
      worker?.terminate();
      return;
    }
    const listener = this.#stageListener();
    try {
      this.#stage = worker
        ? new WorkerStage(worker, canvas, acceleration, listener)
        : new Stage(canvas, acceleration, listener);
    } catch (error) {
      worker?.terminate();
      this.#listener.onError(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    const queue = this.#queue;
    this.#queue = [];
    for (const act of queue) act(this.#stage);
  }

  #stageListener(): StageListener {
    return {
      onPainted: (painted) => this.#painted(painted),
      onDropped: (stream, frame) => {
        this.#meter.dropped();
        this.#listener.acknowledge(stream, frame);
      },
      onKeyFrameNeeded: (stream) => this.#listener.requestKeyFrame(stream),
      onFailed: (_stream, message) => this.#listener.onFailed(message),
    };
  }

  #painted(painted: PaintedFrame): void {
    if (this.#closed) return;
    this.#listener.acknowledge(painted.stream, painted.frame);
    this.#meter.painted(painted.decodeTime, performance.now());
    const latency = this.#listener.inputLatency(painted.inputSeq);
    if (latency !== undefined) this.#meter.inputShown(latency);
    const { width, height } = painted;
    if (width !== this.#size.width || height !== this.#size.height) {
      this.#size = { width, height };
      this.#listener.onResize(width, height);
    }
    this.#listener.onPainted(painted);
  }
}
