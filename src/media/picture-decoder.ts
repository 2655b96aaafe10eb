import type { MediaPacket } from '../protocol/index.js';

/** Decoder preference of WebCodecs. */
export type DecoderPreference = 'no-preference' | 'prefer-hardware' | 'prefer-software';

/** A decoded picture with the size of the remote screen. The receiver closes `image`. */
export interface Picture {
  readonly image: VideoFrame | ImageBitmap;
  readonly packet: MediaPacket;
  /** Milliseconds in the decoder. */
  readonly decodeTime: number;
}

/** Events of a decoder. Every packet ends in either `onPicture` or `onDropped`. */
export interface DecoderEvents {
  onPicture(picture: Picture): void;
  /** The packet will not become a picture: it is outdated or broken, or depends on a missing frame. */
  onDropped(packet: MediaPacket): void;
  /** The decoder needs a key frame to continue. Called at most once per second, and after a failure. */
  onKeyFrameNeeded(): void;
  /** The decoder failed repeatedly. The stream needs another kind of media. */
  onFailed(message: string): void;
}

/** A packet in the decoder. `pushedAt` is the time of its arrival in milliseconds of `performance.now()`. */
export interface WaitingPacket {
  packet: MediaPacket;
  pushedAt: number;
}

/**
 * Decodes the packets of one stream to pictures. `close()` drops pending packets. After `close()`, the
 * decoder returns no picture.
 */
export interface PictureDecoder {
  push(packet: MediaPacket): void;
  close(): void;
}
