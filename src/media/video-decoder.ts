import type { MediaPacket, StreamInfo } from '../protocol/index.js';
import type { DecoderEvents, DecoderPreference, PictureDecoder, WaitingPacket } from './picture-decoder.js';

/** After this number of failures without a picture between them, the stream counts as undecodable. */
const FAILURE_LIMIT = 3;
/**
 * Minimum time between two requests for a key frame, in milliseconds. A host answers a request immediately,
 * so after this time the request or its answer counts as lost.
 */
const KEY_FRAME_REQUEST_INTERVAL_MS = 1000;
/**
 * Time without output after which the decoder is assumed to have lost or delayed a packet, in milliseconds. A
 * decoder normally takes milliseconds, or some hundred milliseconds on a busy machine.
 */
const SILENCE_LIMIT_MS = 2000;

/**
 * Decodes H.264 with WebCodecs. Drops a delta frame (a frame that needs the previous frame) if the previous
 * frame is missing, and requests a key frame. Otherwise the picture would stay wrong, because hosts send key
 * frames only on request.
 */
export class H264Decoder implements PictureDecoder {
  /** Packets in the decoder, by frame number. The frame number is also the chunk's timestamp. */
  readonly #waiting = new Map<number, WaitingPacket>();
  #decoder: VideoDecoder | undefined;
  /** Frame on which the next delta frame depends. Undefined until a key frame arrives. */
  #previous: number | undefined;
  #requestedAt = -Infinity;
  #failures = 0;
  #closed = false;
  /** Timer of {@link SILENCE_LIMIT_MS}. Runs while packets are in the decoder. */
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly stream: StreamInfo,
    private readonly acceleration: DecoderPreference,
    private readonly events: DecoderEvents,
    private readonly silenceLimit = SILENCE_LIMIT_MS,
  ) {}

  push(packet: MediaPacket): void {
    if (this.#closed) {
      this.events.onDropped(packet);
      return;
    }
    const follows = this.#previous !== undefined && packet.frame === (this.#previous + 1) >>> 0;
    if (!packet.keyFrame && !follows) {
      this.#previous = undefined;
      this.events.onDropped(packet);
      this.#requestKeyFrame();
      return;
    }
    this.#previous = packet.frame;
    this.#waiting.set(packet.frame, { packet, pushedAt: performance.now() });
    try {
      this.#decoder ??= this.#open();
      this.#decoder.decode(
        new EncodedVideoChunk({
          type: packet.keyFrame ? 'key' : 'delta',
          timestamp: packet.frame,
          data: packet.payload,
        }),
      );
      this.#silence ??= setTimeout(this.#onSilence, this.silenceLimit);
    } catch (error) {
      this.#fail(error);
    }
  }

  close(): void {
    this.#closed = true;
    this.#shut();
    this.#dropWaiting();
  }

  #open(): VideoDecoder {
    const decoder = new VideoDecoder({
      output: (image) => {
        if (decoder === this.#decoder) this.#output(image);
        else image.close();
      },
      error: (error) => {
        if (decoder === this.#decoder) this.#fail(error);
      },
    });
    const { codec, codedWidth, codedHeight } = this.stream;
    const hardwareAcceleration = this.acceleration;
    // The stream is in Annex B format, so there is no `description`.
    decoder.configure({ codec, codedWidth, codedHeight, optimizeForLatency: true, hardwareAcceleration });
    return decoder;
  }

  #output(decoded: VideoFrame): void {
    const waiting = this.#waiting.get(decoded.timestamp);
    if (!waiting) {
      decoded.close();
      return;
    }
    let image: VideoFrame;
    try {
      image = withoutPadding(decoded, this.stream);
    } catch (error) {
      this.#fail(error);
      return;
    }
    const { packet, pushedAt } = waiting;
    this.#waiting.delete(packet.frame);
    this.#listen();
    this.#failures = 0;
    this.#requestedAt = -Infinity;
    this.events.onPicture({ image, packet, decodeTime: performance.now() - pushedAt });
  }

  /** Restarts the timer if more packets are in the decoder. */
  #listen(): void {
    clearTimeout(this.#silence);
    this.#silence = this.#waiting.size > 0 ? setTimeout(this.#onSilence, this.silenceLimit) : undefined;
  }

  /**
   * Flushes a picture that the decoder delays. While the screen is static, no further packet arrives that
   * would make the decoder return it.
   */
  readonly #onSilence = (): void => {
    this.#silence = setTimeout(
      () => this.#fail(new Error('The decoder returns no pictures.')),
      this.silenceLimit,
    );
    // After a flush the next packet must be a key frame.
    this.#previous = undefined;
    // If the flush fails or never ends, the timer above ends the decoder.
    this.#decoder?.flush().catch(() => undefined);
  };

  #fail(error: unknown): void {
    this.#shut();
    this.#failures += 1;
    this.#dropWaiting();
    if (this.#failures < FAILURE_LIMIT) {
      this.#requestedAt = -Infinity;
      this.#requestKeyFrame();
      return;
    }
    this.#closed = true;
    this.events.onFailed(error instanceof Error ? error.message : String(error));
  }

  #shut(): void {
    clearTimeout(this.#silence);
    this.#silence = undefined;
    const decoder = this.#decoder;
    this.#decoder = undefined;
    this.#previous = undefined;
    if (decoder && decoder.state !== 'closed') decoder.close();
  }

  #dropWaiting(): void {
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { packet } of lost) this.events.onDropped(packet);
  }

  #requestKeyFrame(): void {
    const now = performance.now();
    if (now - this.#requestedAt < KEY_FRAME_REQUEST_INTERVAL_MS) return;
    this.#requestedAt = now;
    this.events.onKeyFrameNeeded();
  }
}

/**
 * Crops a decoded picture to its visible part. The encoder pads pictures to even sizes. The caller must close
 * only the returned frame.
 */
function withoutPadding(decoded: VideoFrame, { width, height }: StreamInfo): VideoFrame {
  if (decoded.displayWidth === width && decoded.displayHeight === height) return decoded;
  try {
    // The new frame shares the pixels.
    return new VideoFrame(decoded, { visibleRect: { x: 0, y: 0, width, height } });
  } finally {
    decoded.close();
  }
}
