import type { MediaPacket, StreamInfo } from '../protocol/index.js';
import { MediaMeter, type MediaFigures } from './media-meter.js';
import { Painter } from './painter.js';
import { StreamDecoder, type DecodedPicture, type DecoderListener } from './stream-decoder.js';

/** A frame that is on the canvas; the canvas has its size. */
export type PaintedFrame = Omit<DecodedPicture, 'image'>;

/** What a player asks of the connection and tells its owner. */
export interface PlayerListener {
  /** The host is to be told that this frame needs no more time of this viewer. */
  acknowledge(stream: number, frame: number): void;
  requestKeyFrame(stream: number): void;
  /** Milliseconds since the input event `inputSeq` was sent, if this painting is the first to show it. */
  inputLatency(inputSeq: number): number | undefined;
  /** The picture behind `painted`, good for the time of the call. */
  onFrame(image: VideoFrame | ImageBitmap, painted: PaintedFrame): void;
  onPainted(painted: PaintedFrame): void;
  /** The size of the picture is known, or another than before. */
  onResize(width: number, height: number): void;
  /** This kind of media cannot be decoded here; images always can. */
  onFailed(message: string): void;
}

/** What a player is made of. */
export interface PlayerOptions {
  /** For this player alone. */
  canvas: HTMLCanvasElement;
  acceleration: HardwareAcceleration;
}

/** Plays streams on one canvas: decoding, painting, acknowledging, measuring. */
export class MediaPlayer {
  readonly #listener: PlayerListener;
  readonly #painter: Painter;
  readonly #meter = new MediaMeter();
  readonly #decoder: StreamDecoder;
  #size = { width: 0, height: 0 };
  #stream: number | undefined;
  #closed = false;
  /** The picture that is being painted, and those that wait for it in order. */
  #painting: Promise<void> | undefined;

  /** Throws when the canvas is already used with another kind of context. */
  constructor({ canvas, acceleration }: PlayerOptions, listener: PlayerListener) {
    this.#painter = new Painter(canvas);
    this.#listener = listener;
    const reports: DecoderListener = {
      onPicture: (picture) => this.#take(picture),
      onDropped: (stream, frame) => this.#dropped(stream, frame),
      onKeyFrameNeeded: (stream) => this.#listener.requestKeyFrame(stream),
      onFailed: (_stream, message) => this.#listener.onFailed(message),
    };
    this.#decoder = new StreamDecoder(acceleration, reports);
  }

  setStream(stream: StreamInfo): void {
    this.#stream = stream.stream;
    if (!this.#closed) this.#decoder.setStream(stream);
  }

  push(packet: MediaPacket): void {
    if (this.#closed) return;
    this.#meter.received(packet.payload.byteLength, performance.now());
    this.#decoder.push(packet);
  }

  figures(): MediaFigures {
    return this.#meter.snapshot(performance.now());
  }

  close(): void {
    this.#closed = true;
    this.#decoder.close();
  }

  /** Paints at once, or when the picture before it is painted. */
  #take(picture: DecodedPicture): void {
    const painting = this.#painting ? this.#painting.then(() => this.#show(picture)) : this.#show(picture);
    this.#painting = painting;
    void painting?.then(() => {
      if (this.#painting === painting) this.#painting = undefined;
    });
  }

  #show(picture: DecodedPicture): Promise<void> | undefined {
    const { image, stream, frame } = picture;
    // The stream may have ended while the picture waited.
    if (this.#closed || stream !== this.#stream) {
      image.close();
      this.#dropped(stream, frame);
      return undefined;
    }
    let painting: Promise<void> | undefined;
    try {
      painting = this.#painter.paint(picture);
    } catch (error) {
      image.close();
      throw error;
    }
    if (painting) return painting.then(() => this.#shown(picture));
    this.#shown(picture);
    return undefined;
  }

  #shown({ image, ...painted }: DecodedPicture): void {
    if (this.#closed) {
      image.close();
      return;
    }
    const { stream, frame, width, height } = painted;
    this.#listener.acknowledge(stream, frame);
    this.#meter.painted(painted.decodeTime, performance.now());
    const latency = this.#listener.inputLatency(painted.inputSeq);
    if (latency !== undefined) this.#meter.inputShown(latency);
    if (width !== this.#size.width || height !== this.#size.height) {
      this.#size = { width, height };
      this.#listener.onResize(width, height);
    }
    try {
      this.#listener.onFrame(image, painted);
    } finally {
      image.close();
    }
    this.#listener.onPainted(painted);
  }

  #dropped(stream: number, frame: number): void {
    this.#meter.dropped();
    this.#listener.acknowledge(stream, frame);
  }
}
