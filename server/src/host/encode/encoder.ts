import type { Rect } from '../capture/frame-source.js';
import type { Chroma, ScreenImage } from './screen-image.js';

/** One encoded frame. */
export interface EncodedFrame {
  data: Buffer;
  keyFrame: boolean;
  /** True if a decoder shows the same picture after this frame as before it. Absent if this is not known. */
  repeats?: boolean;
}

/** Options for encoding one picture. */
export interface EncodeRequest {
  /** True for a frame that can be decoded without any earlier frame. */
  keyFrame: boolean;
  /** From 0 (a moving picture) to 1 (a picture at rest, visually lossless). */
  sharpness: number;
  /**
   * Shortage of bits, from 0 (enough) to 1 (no bits left). With a higher value, a moving picture is encoded
   * more coarsely.
   */
  strain: number;
  /**
   * Area that may differ from the last picture of this encoder. Outside of the area, nothing has changed, and
   * the picture already has the requested sharpness. With `areaOnly`, the picture outside keeps the sharpness
   * that it has.
   */
  area: Rect;
  /**
   * Maximum bytes that the frame should have. To stay below this number, the encoder raises the quantiser as
   * far as the codec allows. Absent if there is no limit.
   */
  maxBytes?: number;
  /** True if only the area gets the requested sharpness. The rest of the picture stays as it is. */
  areaOnly?: boolean;
}

/** Encodes pictures of one size as a stream. The code that uses this interface does not depend on a codec. */
export interface Encoder {
  /**
   * Codec string for WebCodecs. Known after the first key frame. Empty for formats without a codec string.
   */
  readonly codec: string;
  /** True if the encoder supports `areaOnly`. */
  readonly refinesAreas: boolean;
  /** Chroma format of the pictures that it accepts. */
  readonly chroma: Chroma;
  /** Encodes a picture immediately. Throws if the codec fails. The encoder cannot be used after that. */
  encode(picture: ScreenImage, request: EncodeRequest): EncodedFrame;
  /**
   * Encodes in another thread. Use it for a frame that is not urgent. The picture must not change meanwhile.
   */
  encodeAside(picture: ScreenImage, request: EncodeRequest): Promise<EncodedFrame>;
  close(): void;
}
