import { AV_FRAME_DATA_VIDEO_HINT, AV_VIDEO_HINT_TYPE_CHANGED } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import type { Rect } from '../capture/rect.js';

/** `AVVideoHint` and one `AVVideoRect` behind it on a 64-bit machine. Source: libavutil/video_hint.h. */
const HINT_BYTES = 32;
const RECT_BYTES = 16;

/**
 * Tells the encoder that nothing changed outside an area since the frame before. libx264 then skips those blocks unless
 * they are now to be finer than they are, instead of comparing each with what it was.
 */
export function hintChanged(frame: Frame, { x, y, width, height }: Rect): void {
  frame.removeSideData(AV_FRAME_DATA_VIDEO_HINT);
  const hint = frame.newSideData(AV_FRAME_DATA_VIDEO_HINT, HINT_BYTES + RECT_BYTES);
  hint.fill(0);
  hint.writeBigUInt64LE(1n, 0);
  hint.writeBigUInt64LE(BigInt(HINT_BYTES), 8);
  hint.writeBigUInt64LE(BigInt(RECT_BYTES), 16);
  hint.writeUInt32LE(AV_VIDEO_HINT_TYPE_CHANGED, 24);
  for (const [index, value] of [x, y, width, height].entries())
    hint.writeUInt32LE(value, HINT_BYTES + 4 * index);
}
