import type { MediaPacket, PacketArea, StreamInfo } from '../protocol/index.js';
import { JpegDecoder } from './image-decoder.js';
import { MediaMeter, type MediaFigures } from './media-meter.js';
import { Painter } from './painter.js';
import type { DecoderEvents, DecoderPreference, Picture, PictureDecoder } from './picture-decoder.js';
import { H264Decoder } from './video-decoder.js';

/** A painted frame. */
export interface PaintedFrame {
  stream: number;
  frame: number;
  /** Number of the latest input event whose effect the picture can show. 0 if there is none. */
  inputSeq: number;
  /** Microseconds on the host's monotonic clock, modulo 2^32. Use it for differences only. */
  captureTime: number;
  /** True if the frame only sharpens the visible picture. */
  refinement: boolean;
  /** Milliseconds in the decoder. */
  decodeTime: number;
  /** Size of the picture and of the canvas in pixels. */
  width: number;
  height: number;
  /** Area that differs from the previous frame. */
  area: PacketArea;
}

/** The parts of the connection that a player needs. */
export interface PlayerConnection {
  /** Reports to the host that this viewer has painted or dropped a frame. */
  acknowledge(stream: number, frame: number): void;
  requestKeyFrame(stream: number): void;
  /**
   * Returns the milliseconds since the input event `inputSeq` was sent, if this is the first painted frame
   * that shows its effect.
   */
  inputLatency(inputSeq: number): number | undefined;
}

/** Events of a player. */
export interface PlayerEvents {
  /** `image` is closed after the call. */
  onPainted(painted: PaintedFrame, image: VideoFrame | ImageBitmap): void;
  /** The size of the picture is available or has changed. */
  onResize(width: number, height: number): void;
  /** This browser cannot decode the format of the stream. The caller must choose a simpler format. */
  onFailed(message: string): void;
}

/** Options of a player. */
export interface PlayerParts {
  /** Canvas that only this player uses. */
  canvas: HTMLCanvasElement;
  acceleration: DecoderPreference;
  connection: PlayerConnection;
  events: PlayerEvents;
  /**
   * Requests a key frame if no packet of a new stream has arrived for this time. Milliseconds. Default: 2000.
   */
  firstPacketMs?: number;
}

/**
 * Default interval of requests for a key frame until the first packet of a stream arrives. The first request
 * is sent after one interval, because a host starts each stream with a key frame. Milliseconds.
 */
const FIRST_PACKET_MS = 2_000;

/** Plays streams on a canvas, one after another: decodes, paints, acknowledges, measures. */
export class MediaPlayer {
  readonly #painter: Painter;
  readonly #meter = new MediaMeter();
  #stream: StreamInfo | undefined;
  #decoder: PictureDecoder | undefined;
  #size = { width: 0, height: 0 };
  /**
   * True while a picture is being copied to the canvas. Pictures that arrive meanwhile wait, and are painted
   * afterwards in order.
   */
  #painting = false;
  readonly #waiting: Picture[] = [];
  /** Timer that runs until the first packet of a stream arrives. */
  #silence: ReturnType<typeof setInterval> | undefined;
  #closed = false;

  /** Throws if the canvas already has another kind of context. */
  constructor(private readonly parts: PlayerParts) {
    this.#painter = new Painter(parts.canvas);
    parts.canvas.addEventListener('contextrestored', this.#restored);
  }

  /** Starts a new stream. Packets of earlier streams are outdated. */
  readonly setStream = (stream: StreamInfo): void => {
    if (this.#closed) return;
    clearInterval(this.#silence);
    this.#decoder?.close();
    this.#stream = stream;
    const askForKeyFrame = () => this.parts.connection.requestKeyFrame(stream.stream);
    this.#silence = setInterval(askForKeyFrame, this.parts.firstPacketMs ?? FIRST_PACKET_MS);
    const events: DecoderEvents = {
      onPicture: this.#paint,
      onDropped: (packet) => this.#drop(packet),
      onKeyFrameNeeded: askForKeyFrame,
      onFailed: (message) => this.parts.events.onFailed(message),
    };
    this.#decoder =
      stream.media === 'image'
        ? new JpegDecoder(stream, events)
        : new H264Decoder(stream, this.parts.acceleration, events);
  };

  readonly push = (packet: MediaPacket): void => {
    if (this.#closed) return;
    this.#meter.received(packet.payload.byteLength, performance.now());
    if (packet.stream !== this.#stream?.stream) return this.#drop(packet);
    clearInterval(this.#silence);
    this.#decoder?.push(packet);
  };

  figures(): MediaFigures {
    return this.#meter.snapshot(performance.now());
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#silence);
    this.parts.canvas.removeEventListener('contextrestored', this.#restored);
    this.#decoder?.close();
    for (const { image } of this.#waiting.splice(0)) image.close();
  }

  /**
   * Handles a canvas that the browser has cleared, for example after a reset of the GPU or because memory was
   * low. A static screen sends no frame by itself.
   */
  readonly #restored = (): void => {
    this.#painter.cleared();
    if (this.#stream) this.parts.connection.requestKeyFrame(this.#stream.stream);
  };

  /** Paints a picture now, or after the pictures before it. */
  readonly #paint = (picture: Picture): void => {
    if (this.#painting) {
      this.#waiting.push(picture);
      return;
    }
    const { image, packet } = picture;
    // The stream may have ended while the picture waited.
    if (this.#closed || packet.stream !== this.#stream?.stream) {
      image.close();
      this.#drop(packet);
      return;
    }
    const copying = this.#painter.paint(image, packet.area);
    if (!copying) {
      this.#painted(picture);
      return;
    }
    this.#painting = true;
    void copying
      .then(() => this.#painted(picture))
      // Reports errors of a listener to the page's console, and paints the next picture anyway.
      .catch(reportError)
      .then(() => this.#paintWaiting());
  };

  #paintWaiting(): void {
    this.#painting = false;
    // If one of these pictures has to be copied, the remaining ones wait again.
    for (const picture of this.#waiting.splice(0)) this.#paint(picture);
  }

  #painted({ image, packet, decodeTime }: Picture): void {
    try {
      if (this.#closed) return;
      const { connection, events, canvas } = this.parts;
      const { stream, frame, inputSeq, captureTime, refinement, area } = packet;
      const { width, height } = canvas;
      connection.acknowledge(stream, frame);
      this.#meter.painted(decodeTime, performance.now());
      const latency = connection.inputLatency(inputSeq);
      if (latency !== undefined) this.#meter.inputShown(latency);
      if (width !== this.#size.width || height !== this.#size.height) {
        this.#size = { width, height };
        events.onResize(width, height);
      }
      const what = { stream, frame, inputSeq, captureTime, refinement };
      events.onPainted({ ...what, decodeTime, width, height, area }, image);
    } finally {
      image.close();
    }
  }

  #drop({ stream, frame }: MediaPacket): void {
    this.#meter.dropped();
    this.parts.connection.acknowledge(stream, frame);
  }
}
