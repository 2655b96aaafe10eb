import type { StreamInfo } from 'cloud-browser/protocol';
import type { RecordingEnd } from '../../../recording-protocol.js';
import type { RecordedPicture } from './fragment-builder.js';

/** Size of encoded pictures in pixels. */
export type CodedSize = Pick<StreamInfo, 'codedWidth' | 'codedHeight'>;

/**
 * Receiver of the pictures, sound and events that a recorder records. All times are in milliseconds since the
 * first picture.
 */
export interface RecorderOutput {
  /**
   * True while the output cannot accept pictures. The recorder then drops pictures until the next key frame.
   */
  readonly isLate: boolean;
  picture(picture: RecordedPicture, size: CodedSize): void;
  /** Adds an Opus packet. */
  sound(data: Uint8Array, time: number): void;
  /** Adds an event, as JSON. */
  event(json: string): void;
  /** Called twice a second after the first picture. */
  tick(time: number): void;
  /** Ends the output. Resolves when everything was passed on. */
  end(time: number, reason: RecordingEnd): Promise<void>;
}
