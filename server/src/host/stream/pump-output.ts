import type { Rect } from '../capture/frame-source.js';
import type { EncodedFrame, Encoder } from '../encode/encoder.js';
import { RefinementBands } from './refinement-bands.js';

/** A frame on its way to the viewers of one output. */
export interface PumpedFrame extends EncodedFrame {
  /** Number of the frame in its output, counted from 1. */
  number: number;
  /** Time when the picture was read, in microseconds of the host's monotonic clock, modulo 2^32. */
  captureTime: number;
  /** True if the frame only sharpens the picture, which has not changed. */
  refinement: boolean;
  /** Area that differs from the previous frame. Empty if the frame only repeats the picture. */
  area: Rect;
}

/** Receiver of the frames of one output. */
export interface PumpSink {
  /** True if some viewer has room for a frame now. The pump checks again after `wake`. */
  readonly ready: boolean;
  /** Shortage of bits, from 0 (enough) to 1 (no bits left). */
  readonly strain: number;
  /** Maximum bytes that a frame should have if it shows a change. */
  readonly frameBytes: number;
  /**
   * Maximum bytes that a frame of a refinement should have. If infinite, one frame refines the whole area.
   */
  readonly bandBytes: number;
  /** Milliseconds until a refinement may be sent. 0 if it may be sent now. */
  readonly refinementWait: number;
  /**
   * Called right before the picture is read. The picture can show the effect of input that was performed
   * before this call.
   */
  onCapture(): void;
  onFrame(frame: PumpedFrame): void;
}

/** One format that viewers use, with its encoder and the state of its stream. */
export interface PumpOutput {
  encoder: Encoder;
  sink: PumpSink;
  /** Changed area that was not encoded yet. */
  unseen: Rect | undefined;
  /** True if a picture at rest was replaced by another picture that was not encoded yet. */
  replaced: boolean;
  keyFrameWanted: boolean;
  number: number;
  /** Sharpness of the picture that viewers have, see `EncodeRequest`. */
  sharpness: number;
  /** Area that has not reached full sharpness. */
  coarse: Rect | undefined;
  /** Progress of the refinement of `coarse`. */
  bands: RefinementBands;
}

/** The output of a new format. Its first frame is a key frame of the whole screen. */
export function newOutput(sink: PumpSink, encoder: Encoder, whole: Rect): PumpOutput {
  const bands = new RefinementBands();
  const state = { replaced: false, keyFrameWanted: true, number: 0, sharpness: 0, bands };
  return { encoder, sink, ...state, unseen: whole, coarse: whole };
}
