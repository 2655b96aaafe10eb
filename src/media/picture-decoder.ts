import type { MediaPacket } from '../protocol/index.js';

/** A decoded picture with its packet. Whoever gets it closes `image`. */
export interface Picture {
  image: VideoFrame | ImageBitmap;
  packet: MediaPacket;
  /** When the packet was handed to the decoder, on the clock of `performance.now()`. */
  pushedAt: number;
}

/** What a decoder reports. Every packet ends in either `onPicture` or `onDropped`. */
export interface PictureListener {
  onPicture(picture: Picture): void;
  onDropped(packet: MediaPacket): void;
  onKeyFrameNeeded(): void;
  onFailed(message: string): void;
}

/** Turns the packets of one stream into pictures. After `close()` there are none, what was under way is dropped. */
export interface PictureDecoder {
  push(packet: MediaPacket): void;
  close(): void;
}
