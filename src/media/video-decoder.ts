import type { MediaPacket, StreamInfo } from '../protocol/index.js';
import type { DecoderEvents, DecoderPreference, PictureDecoder, WaitingPacket } from './picture-decoder.js';

/** So many failures in a row without one picture between them mean that this browser cannot decode the stream. */
const FAILURE_LIMIT = 3;
/** A host sends a key frame at once, so a request that stays unanswered for so long was lost. */
const KEY_FRAME_REQUEST_INTERVAL_MS = 1000;
/** A decoder takes milliseconds, some hundred on a busy machine; one that is silent for so long has lost the packet or holds it back. */
const SILENCE_LIMIT_MS = 2000;

/**
 * Decodes H.264 with WebCodecs. The stream has no key frames but those that are asked for, so a delta whose
 * predecessor is missing is dropped, not guessed at: a wrong picture would stay.
 */
export class H264Decoder implements PictureDecoder {
  /** Packets in the decoder, by frame number, which is also the chunk's timestamp. */
  readonly #waiting = new Map<number, WaitingPacket>();
  #decoder: VideoDecoder | undefined;
  /** The frame that the next delta builds on; undefined until a key frame has come. */
  #previous: number | undefined;
  #requestedAt = -Infinity;
  #failures = 0;
  #closed = false;
  /** Runs while packets are in the decoder. */
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
    // The stream is in Annex B form, so there is no `description`.
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

  /** Begins to wait for the next picture anew, if there is one to come. */
  #listen(): void {
    clearTimeout(this.#silence);
    this.#silence = this.#waiting.size > 0 ? setTimeout(this.#onSilence, this.silenceLimit) : undefined;
  }

  /** A page at rest sends no packet that would push out the one before it: a picture that is held back is asked for. */
  readonly #onSilence = (): void => {
    this.#silence = setTimeout(
      () => this.#fail(new Error('The decoder gives no pictures.')),
      this.silenceLimit,
    );
    // Its next packet has to be a key frame.
    this.#previous = undefined;
    // What fails or never ends is seen by the timer.
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

/** The visible part of a decoded picture, which the encoder has padded to even sizes. Takes the picture over. */
function withoutPadding(decoded: VideoFrame, { width, height }: StreamInfo): VideoFrame {
  if (decoded.displayWidth === width && decoded.displayHeight === height) return decoded;
  try {
    // This shares the pixels.
    return new VideoFrame(decoded, { visibleRect: { x: 0, y: 0, width, height } });
  } finally {
    decoded.close();
  }
}
