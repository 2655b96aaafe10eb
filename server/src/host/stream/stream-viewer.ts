import type { MediaKind, StreamInfo } from 'cloud-browser/protocol';
import type { Delivery } from './delivery.js';
import type { PumpedFrame } from './frame-pump.js';

/** One connection as a stream sees it: where packets go, and whether more fit. */
export interface StreamViewer {
  /** The format it takes. */
  readonly media: MediaKind;
  readonly delivery: Delivery;
  /** Whether a frame can be sent now. */
  readonly ready: boolean;
  /** The screen is being read now: this frame shows the effect of all input that the display has so far. */
  markCapture(): void;
  /** Describes the packets that follow. */
  send(message: StreamInfo): void;
  /** Sends a frame, or notes that this viewer has now missed one. */
  sendFrame(kind: 'video' | 'image', stream: number, frame: PumpedFrame): void;
}
