import type { MediaPacket } from '../protocol/index.js';

/** Which of its decoders a browser shall take, as WebCodecs have it. */
export type DecoderPreference = 'no-preference' | 'prefer-hardware' | 'prefer-software';

/** A decoded picture, as large as the remote screen. Whoever gets it closes `image`. */
export interface Picture {
  readonly image: VideoFrame | ImageBitmap;
  readonly packet: MediaPacket;
  /** Milliseconds in the decoder. */
  readonly decodeTime: number;
}

/** What a decoder tells the player. Every packet ends in either `onPicture` or `onDropped`. */
export interface DecoderEvents {
  onPicture(picture: Picture): void;
  /** The packet is outdated, or cannot be decoded without a frame that is missing. */
  onDropped(packet: MediaPacket): void;
  /** Nothing can be decoded until a key frame comes. Repeated at most once a second, or after a failure. */
  onKeyFrameNeeded(): void;
  /** The decoder refuses this stream again and again: another kind of media is needed. */
  onFailed(message: string): void;
}

/** A packet that a decoder has, and since when on the page's clock, in milliseconds. */
export interface WaitingPacket {
  packet: MediaPacket;
  pushedAt: number;
}

/** Turns the packets of one stream into pictures. `close()` drops what is under way; no picture comes after it. */
export interface PictureDecoder {
  push(packet: MediaPacket): void;
  close(): void;
}
