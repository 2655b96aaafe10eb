import type { Rect } from '../capture/rect.js';
import type { Picture } from './picture.js';

/** One encoded frame. */
export interface EncodedFrame {
  data: Buffer;
  keyFrame: boolean;
}

/** What an encoder is asked for, besides the picture. */
export interface EncodeRequest {
  /** Make a frame that needs no earlier one. */
  keyFrame: boolean;
  /** The part of the picture that differs from the one encoded last. */
  changed: Rect;
  /** How fine, from 0 (coarse, a moving picture) to 1 (visually lossless, a picture at rest). */
  fineness: number;
}

/** Turns pictures of one size into a stream. The host knows no codec beyond this. */
export interface Encoder {
  /** For WebCodecs; known after the first key frame, empty for a format that needs none. */
  readonly codec: string;
  /** One frame at a time: the promise settles before the next call. */
  encode(picture: Picture, request: EncodeRequest): Promise<EncodedFrame>;
  close(): void;
}
