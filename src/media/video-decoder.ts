import type { MediaPacket, StreamInfo } from '../protocol/index.js';
import type { PictureDecoder, PictureListener } from './picture-decoder.js';

/** So many failures in a row without one picture between them mean that this browser cannot decode the stream. */
const FAILURE_LIMIT = 3;
/** Milliseconds between two requests for a key frame. */
const REQUEST_INTERVAL = 1000;

interface Waiting {
  packet: MediaPacket;
  pushedAt: number;
}

/** The configuration for a stream: Annex B, so without a description, and no picture held back. */
export function videoConfig(stream: StreamInfo, acceleration: HardwareAcceleration): VideoDecoderConfig {
  return {
    codec: stream.codec,
    codedWidth: stream.codedWidth,
    codedHeight: stream.codedHeight,
    optimizeForLatency: true,
    hardwareAcceleration: acceleration,
  };
}

/**
 * Decodes H.264 with WebCodecs. The stream has no key frames but those that are asked for, so a delta whose
 * predecessor is missing is dropped, not guessed at: a wrong picture would stay.
 */
export class H264Decoder implements PictureDecoder {
  readonly #config: VideoDecoderConfig;
  readonly #listener: PictureListener;
  /** Packets in the decoder, by frame number, which is also the chunk's timestamp. */
  readonly #waiting = new Map<number, Waiting>();
  #decoder: VideoDecoder | undefined;
  /** The frame that the next delta builds on; undefined until a key frame has come. */
  #previous: number | undefined;
  #requestedAt = -Infinity;
  #failures = 0;
  #closed = false;

  constructor(config: VideoDecoderConfig, listener: PictureListener) {
    this.#config = config;
    this.#listener = listener;
  }

  push(packet: MediaPacket): void {
    if (this.#closed) {
      this.#listener.onDropped(packet);
      return;
    }
    const follows = this.#previous !== undefined && packet.frame === (this.#previous + 1) >>> 0;
    if (!packet.keyFrame && !follows) {
      this.#previous = undefined;
      this.#listener.onDropped(packet);
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
      output: (image) => this.#output(decoder, image),
      error: (error) => {
        if (decoder === this.#decoder) this.#fail(error);
      },
    });
    decoder.configure(this.#config);
    return decoder;
  }

  #output(decoder: VideoDecoder, image: VideoFrame): void {
    const waiting = this.#waiting.get(image.timestamp);
    if (decoder !== this.#decoder || !waiting) {
      image.close();
      return;
    }
    this.#waiting.delete(image.timestamp);
    this.#failures = 0;
    this.#requestedAt = -Infinity;
    this.#listener.onPicture({ image, ...waiting });
  }

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
    this.#listener.onFailed(error instanceof Error ? error.message : String(error));
  }

  #shut(): void {
    const decoder = this.#decoder;
    this.#decoder = undefined;
    this.#previous = undefined;
    if (decoder && decoder.state !== 'closed') decoder.close();
  }

  #dropWaiting(): void {
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { packet } of lost) this.#listener.onDropped(packet);
  }

  #requestKeyFrame(): void {
    const now = performance.now();
    if (now - this.#requestedAt < REQUEST_INTERVAL) return;
    this.#requestedAt = now;
    this.#listener.onKeyFrameNeeded();
  }
}
