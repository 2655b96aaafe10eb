import type { MediaPacket, StreamInfo } from '../protocol/index.js';
import type { StageListener } from './decoded.js';
import { JpegDecoder } from './image-decoder.js';
import { Painter } from './painter.js';
import type { Picture, PictureDecoder, PictureListener } from './picture-decoder.js';
import { H264Decoder, videoConfig } from './video-decoder.js';

/** From packets to a painted canvas. The same class runs in a worker and on the main thread. */
export class Stage {
  readonly #painter: Painter;
  readonly #acceleration: HardwareAcceleration;
  readonly #listener: StageListener;
  #stream: StreamInfo | undefined;
  #decoder: PictureDecoder | undefined;

  constructor(
    canvas: HTMLCanvasElement | OffscreenCanvas,
    acceleration: HardwareAcceleration,
    listener: StageListener,
  ) {
    this.#painter = new Painter(canvas);
    this.#acceleration = acceleration;
    this.#listener = listener;
  }

  /** The packets of this stream follow; those of earlier streams are outdated, the last picture stays. */
  setStream(stream: StreamInfo): void {
    this.#decoder?.close();
    this.#stream = stream;
    const listener: PictureListener = {
      onPicture: (picture) => this.#show(stream, picture),
      onDropped: (packet) => this.#listener.onDropped(packet.stream, packet.frame),
      onKeyFrameNeeded: () => this.#listener.onKeyFrameNeeded(stream.stream),
      onFailed: (message) => this.#listener.onFailed(stream.stream, message),
    };
    this.#decoder =
      stream.media === 'h264'
        ? new H264Decoder(videoConfig(stream, this.#acceleration), listener)
        : new JpegDecoder(listener);
  }

  push(packet: MediaPacket): void {
    if (this.#decoder && packet.stream === this.#stream?.stream) this.#decoder.push(packet);
    else this.#listener.onDropped(packet.stream, packet.frame);
  }

  close(): void {
    this.#decoder?.close();
    this.#decoder = undefined;
  }

  #show({ width, height }: StreamInfo, { image, packet, pushedAt }: Picture): void {
    try {
      this.#painter.paint({ image, width, height });
    } finally {
      image.close();
    }
    const { stream, frame, inputSeq } = packet;
    this.#listener.onPainted({
      stream,
      frame,
      inputSeq,
      decodeTime: performance.now() - pushedAt,
      width,
      height,
    });
  }
}
