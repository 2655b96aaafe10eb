/** Bytes of a pixel in RGBX, the form of `ImageData`. */
export const RGBX_BYTES = 4;

/** A pixel as `ImageData` has it. */
type Pixel = readonly [red: number, green: number, blue: number, opaque: 255];

/** A frame of one known colour, as decoders or canvases give it. */
export interface ColourSample {
  readonly pixel: Pixel;
  readonly makeFrame: () => VideoFrame;
}

/** Pixels a side of a sample. */
const SIZE = 16;
/** How far a channel of a converted sample may be off: browsers round differently. */
const TOLERANCE = 8;

/** Three channels that differ, so that a swap shows; one sample for each kind of layout that browsers have. */
const SAMPLES: readonly ColourSample[] = [
  {
    pixel: [200, 120, 40, 255],
    makeFrame: () => frameOf('BGRX', [[40, 120, 200, 255]]),
  },
  {
    // Red in full-range BT.601: a plane of luma, then two of colour with a sample for each four pixels.
    pixel: [254, 0, 0, 255],
    makeFrame: () => frameOf('I420', [[76], [85], [255]]),
  },
];

let outcome: Promise<boolean> | undefined;

/**
 * Whether this browser copies pixels out of frames as RGBX, found out by copying frames of known colours: some ignore the
 * format that they are asked for, and neither convert nor refuse. Takes a millisecond, once in a page. Never rejects.
 */
export function copiesRgbx(): Promise<boolean> {
  outcome ??= copiesSamples(SAMPLES);
  return outcome;
}

/** Whether each of these frames comes out in its colour. Never rejects. */
export async function copiesSamples(samples: readonly ColourSample[]): Promise<boolean> {
  try {
    for (const sample of samples) if (!(await comesOutRight(sample))) return false;
    return true;
  } catch {
    return false;
  }
}

/** Copies a part of a frame into `data`, whose size is the part's. False when the browser has laid it out in another form. */
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

/** A frame whose planes repeat these bytes. */
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
