import type { MediaPacket, StreamInfo } from '../protocol/index.js';
import type { DecodedPicture } from './stream-decoder.js';

/** Page to worker. */
export type ToWorker =
  | { type: 'start'; acceleration: HardwareAcceleration }
  | { type: 'stream'; stream: StreamInfo }
  | { type: 'packet'; packet: MediaPacket };

/** Worker to page. */
export type FromWorker =
  /** The worker's script runs: nothing refused it. */
  | { type: 'ready' }
  | { type: 'picture'; picture: DecodedPicture }
  | { type: 'dropped'; stream: number; frame: number }
  | { type: 'key-frame-needed'; stream: number }
  | { type: 'failed'; stream: number; message: string };
