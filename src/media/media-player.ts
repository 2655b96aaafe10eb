import type { MediaPacket, PacketArea, StreamInfo } from '../protocol/index.js';
import { JpegDecoder } from './image-decoder.js';
import { MediaMeter, type MediaFigures } from './media-meter.js';
import { Painter } from './painter.js';
import type { DecoderEvents, DecoderPreference, Picture, PictureDecoder } from './picture-decoder.js';
import { H264Decoder } from './video-decoder.js';

/** A frame that is on the canvas. */
export interface PaintedFrame {
  stream: number;
  frame: number;
  /** The newest input event that the picture can show; 0: none. */
  inputSeq: number;
  /** Microseconds on the host's monotonic clock, modulo 2^32: good for differences only. */
  captureTime: number;
  /** It only sharpens what is shown already. */
  refinement: boolean;
  /** Milliseconds in the decoder. */
  decodeTime: number;
  /** Pixels of the picture, and of the canvas. */
  width: number;
  height: number;
  /** Where it differs from the frame before. */
  area: PacketArea;
}

/** What a player needs of the connection that its packets come from. */
export interface PlayerConnection {
  /** The host is to be told that this frame needs no more time of this viewer. */
  acknowledge(stream: number, frame: number): void;
  requestKeyFrame(stream: number): void;
  /** Milliseconds since the input event `inputSeq` was sent, if this painting is the first to show it. */
  inputLatency(inputSeq: number): number | undefined;
}

/** What a player tells its owner. */
export interface PlayerEvents {
  /** `image` is closed after the call. */
  onPainted(painted: PaintedFrame, image: VideoFrame | ImageBitmap): void;
  /** The size of the picture is known, or another than before. */
  onResize(width: number, height: number): void;
  /** This kind of media cannot be decoded here; images always can. */
  onFailed(message: string): void;
}

/** What a player is made of. */
export interface PlayerParts {
  /** For this player alone. */
  canvas: HTMLCanvasElement;
  acceleration: DecoderPreference;
  connection: PlayerConnection;
  events: PlayerEvents;
  /** With a stream of which nothing comes, before it is asked for; 2 seconds without it. Milliseconds. */
  firstPacketMs?: number;
}

/** A host sends a key frame with each stream; when none has come for so long, it is asked for again. Milliseconds. */
const FIRST_PACKET_MS = 2_000;

/** Plays one stream after another on a canvas: decodes, paints, acknowledges, measures. */
export class MediaPlayer {
  readonly #painter: Painter;
  readonly #meter = new MediaMeter();
  #stream: StreamInfo | undefined;
  #decoder: PictureDecoder | undefined;
  #size = { width: 0, height: 0 };
  /** A picture is on its way to the canvas; the waiting ones are painted after it, in order. */
  #painting = false;
  readonly #waiting: Picture[] = [];
  /** Runs until the first packet of a stream. */
  #silence: ReturnType<typeof setInterval> | undefined;
  #closed = false;

  /** Throws when the canvas is already used with another kind of context. */
  constructor(private readonly parts: PlayerParts) {
    this.#painter = new Painter(parts.canvas);
  }

  /** The packets of this stream follow; those of earlier streams are outdated. */
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
    this.#decoder?.close();
    for (const { image } of this.#waiting.splice(0)) image.close();
  }

  /** Paints at once, or when the pictures before this one are painted. */
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
      // What a listener throws belongs on the page's console, and the next picture is painted all the same.
      .catch(reportError)
      .then(() => this.#paintWaiting());
  };

  #paintWaiting(): void {
    this.#painting = false;
    // When one of them is copied, the rest waits again.
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
