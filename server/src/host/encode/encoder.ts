import type { Rect } from '../capture/frame-source.js';
import type { Chroma, Picture } from './picture.js';

/** One encoded frame. */
export interface EncodedFrame {
  data: Buffer;
  keyFrame: boolean;
}

/** What an encoder is asked for, besides the picture. */
export interface EncodeRequest {
  /** Make a frame that needs no earlier one. */
  keyFrame: boolean;
  /** From 0 (a moving picture) to 1 (a picture at rest, visually lossless). */
  sharpness: number;
  /** How scarce bits are, from 0 to 1: a moving picture gets coarser with it. */
  strain: number;
  /** Outside of it, the picture is the one that this encoder saw last, and no less sharp. */
  area: Rect;
}

/** Turns pictures of one size into a stream. The host knows no codec beyond this. */
export interface Encoder {
  /** For WebCodecs; known after the first key frame, empty for a format that needs none. */
  readonly codec: string;
  /** The form of the pictures that it takes. */
  readonly chroma: Chroma;
  /** A picture in, its frame out: nothing is held back. Throws when the codec fails; the encoder is of no use then. */
  encode(picture: Picture, request: EncodeRequest): EncodedFrame;
  /** The same in another thread, for a frame that is not urgent. The picture must not change meanwhile. */
  encodeAside(picture: Picture, request: EncodeRequest): Promise<EncodedFrame>;
  close(): void;
}
