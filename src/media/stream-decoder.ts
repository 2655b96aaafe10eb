import type { MediaPacket, PacketArea, StreamInfo } from '../protocol/index.js';
import { JpegDecoder } from './image-decoder.js';
import type { Picture, PictureDecoder, PictureListener } from './picture-decoder.js';
import { H264Decoder, videoConfig } from './video-decoder.js';

/** A picture that is ready to be painted. Whoever gets it closes `image`. */
export interface DecodedPicture {
  image: VideoFrame | ImageBitmap;
  stream: number;
  frame: number;
  /** From the packet. */
  inputSeq: number;
  /** Milliseconds in the decoder. */
  decodeTime: number;
  /** The visible pixels, at the top left; the rest is the encoder's padding. */
  width: number;
  height: number;
  /** Where it differs from the frame before. */
  area: PacketArea;
}

/** What happens to the packets that a decoder is given. Every packet ends in `onPicture` or `onDropped`. */
export interface DecoderListener {
  onPicture(picture: DecodedPicture): void;
  /** Outdated, or not decodable without a frame that is missing. */
  onDropped(stream: number, frame: number): void;
  /** Nothing can be decoded until a key frame comes. Repeated at most once a second, or after a failure. */
  onKeyFrameNeeded(stream: number): void;
  /** The decoder refuses this stream again and again: another kind of media is needed. */
  onFailed(stream: number, message: string): void;
}

/** Decodes one stream after another. */
export class StreamDecoder {
  readonly #acceleration: HardwareAcceleration;
  readonly #listener: DecoderListener;
  #stream: StreamInfo | undefined;
  #decoder: PictureDecoder | undefined;

  constructor(acceleration: HardwareAcceleration, listener: DecoderListener) {
    this.#acceleration = acceleration;
    this.#listener = listener;
  }

  /** The packets of this stream follow; those of earlier streams are outdated. */
  setStream(stream: StreamInfo): void {
    this.#decoder?.close();
    this.#stream = stream;
    const listener: PictureListener = {
      onPicture: (picture) => this.#listener.onPicture(describe(picture, stream)),
      onDropped: (packet) => this.#listener.onDropped(packet.stream, packet.frame),
      onKeyFrameNeeded: () => this.#listener.onKeyFrameNeeded(stream.stream),
      onFailed: (message) => this.#listener.onFailed(stream.stream, message),
    };
    this.#decoder =
      stream.media === 'image'
        ? new JpegDecoder(listener)
        : new H264Decoder(videoConfig(stream, this.#acceleration), listener);
  }

  push(packet: MediaPacket): void {
    if (this.#decoder && packet.stream === this.#stream?.stream) this.#decoder.push(packet);
    else this.#listener.onDropped(packet.stream, packet.frame);
  }

  close(): void {
    this.#decoder?.close();
    this.#decoder = undefined;
  }
}

function describe({ image, packet, pushedAt }: Picture, { width, height }: StreamInfo): DecodedPicture {
  const { stream, frame, inputSeq, area } = packet;
  return { image, stream, frame, inputSeq, decodeTime: performance.now() - pushedAt, width, height, area };
}
