import { AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { decodeFrames } from './decoded-frames.js';

/** A decoded picture of a video. */
export interface DecodedPicture {
  /** Seconds of the video. */
  time: number;
  width: number;
  height: number;
  /** Returns the brightness of a pixel, 0 to 255. */
  luma(x: number, y: number): number;
  /** Returns the red chroma of a pixel, 0 to 255. It is 128 for grey and 255 for pure red. */
  redness(x: number, y: number): number;
}

/** Decodes all pictures of a video file, and calls the function with each. */
export function decodePictures(path: string, onPicture: (picture: DecodedPicture) => void): Promise<void> {
  return decodeFrames(path, AVMEDIA_TYPE_VIDEO, ({ width, height, data, linesize }, time) => {
    const [plane, , red] = data ?? [];
    const [stride = 0, , redStride = 0] = linesize;
    onPicture({
      ...{ time, width, height, luma: (x, y) => plane?.[y * stride + x] ?? 0 },
      redness: (x, y) => red?.[(y >> 1) * redStride + (x >> 1)] ?? 0,
    });
  });
}
