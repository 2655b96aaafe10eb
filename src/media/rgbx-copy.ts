/** Bytes per pixel in RGBX (red, green, blue, unused), which has the layout of `ImageData`. */
export const RGBX_BYTES = 4;

/** A pixel in the format of `ImageData`. */
type Pixel = readonly [red: number, green: number, blue: number, opaque: 255];

/** A frame of one colour, with the colour that its copy must have. */
export interface ColourSample {
  readonly pixel: Pixel;
  readonly makeFrame: () => VideoFrame;
}

/** Side length of a sample in pixels. */
const SIZE = 16;
/** Maximum error per channel of a converted sample, out of 255. Browsers round differently. */
const TOLERANCE = 8;

/**
 * Test frames, one with packed and one with planar pixels. Their channels differ, so swapped channels are
 * detected.
 */
const SAMPLES: readonly ColourSample[] = [
  {
    pixel: [200, 120, 40, 255],
    makeFrame: () => frameOf('BGRX', [[40, 120, 200, 255]]),
  },
  {
    // Red in full-range BT.601. The first plane is luma. The two other planes are colour, with one sample per
    // four pixels.
    pixel: [254, 0, 0, 255],
    makeFrame: () => frameOf('I420', [[76], [85], [255]]),
  },
];

let outcome: Promise<boolean> | undefined;

/**
 * Returns true if this browser can copy frames as RGBX. The test copies frames, because some browsers ignore
 * the requested format without an error. It takes a millisecond, and runs once per page. Never rejects.
 */
export function copiesRgbx(): Promise<boolean> {
  outcome ??= copiesSamples(SAMPLES);
  return outcome;
}

/** Returns true if each of these frames is copied with the right colour. Never rejects. */
export async function copiesSamples(samples: readonly ColourSample[]): Promise<boolean> {
  try {
    for (const sample of samples) if (!(await comesOutRight(sample))) return false;
    return true;
  } catch {
    return false;
  }
}

/**
 * Copies an area of a frame into `data`, which must have the size of the area. Returns false if the browser
 * used another layout. Rejects if it cannot copy.
 */
export async function copyRgbx(
  frame: VideoFrame,
  rect: DOMRectReadOnly,
  data: Uint8ClampedArray<ArrayBuffer>,
): Promise<boolean> {
  const [plane, ...more] = await frame.copyTo(data, { rect, format: 'RGBX' });
  return plane?.offset === 0 && plane.stride === rect.width * RGBX_BYTES && more.length === 0;
}

async function comesOutRight({ pixel, makeFrame }: ColourSample): Promise<boolean> {
  const frame = makeFrame();
  try {
    const data = new Uint8ClampedArray(SIZE * SIZE * RGBX_BYTES);
    if (!(await copyRgbx(frame, new DOMRectReadOnly(0, 0, SIZE, SIZE), data))) return false;
    return data.every((value, at) => Math.abs(value - (pixel[at % RGBX_BYTES] ?? 0)) <= TOLERANCE);
  } finally {
    frame.close();
  }
}

/** Creates a frame whose planes repeat these bytes. */
function frameOf(format: 'BGRX' | 'I420', planes: readonly (readonly number[])[]): VideoFrame {
  const bytes = planes.flatMap((bytes, plane) => {
    const samples = plane === 0 ? SIZE * SIZE : (SIZE * SIZE) / 4;
    return Array.from({ length: samples }, () => bytes).flat();
  });
  const matrix = format === 'I420' ? 'smpte170m' : 'rgb';
  const colorSpace = { matrix, fullRange: true, primaries: 'bt709', transfer: 'iec61966-2-1' } as const;
  return new VideoFrame(new Uint8Array(bytes), {
    format,
    codedWidth: SIZE,
    codedHeight: SIZE,
    timestamp: 0,
    colorSpace,
  });
}
