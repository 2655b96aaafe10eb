/** Bounds of a remote screen: each side, and both multiplied. A side is at least so many CSS pixels, at most so many of the screen. */
export const SCREEN_LIMITS = { minSide: 256, maxSide: 3840, maxArea: 1920 * 1080 } as const;
/** Bounds of the pixel ratio. */
export const PIXEL_RATIOS = { min: 1, max: 3 } as const;
/** What Chromium makes of a ratio that it is told while it runs: it keeps 64ths. */
const RATIO_STEPS = 64;
/** A ratio that there is no room for becomes the next lower one with quarters: scrolling and borders stay even. */
const LOWERED_STEPS = 4;

/** A width and a height. */
export interface Size {
  width: number;
  height: number;
}

/** A screen as the remote pages have it: its sides in CSS pixels, and how many pixels of the screen one of them has. */
export interface ScreenShape extends Size {
  pixelRatio: number;
}

/** The pixels of a screen. Chromium rounds up what is a part of a CSS pixel, so such a part is left out. */
export function pixelsOf({ width, height, pixelRatio }: ScreenShape): Size {
  return { width: Math.floor(width * pixelRatio), height: Math.floor(height * pixelRatio) };
}

/** How many pixels a screen has. */
export function areaOf(shape: ScreenShape): number {
  const { width, height } = pixelsOf(shape);
  return width * height;
}

/** Whether a screen may have this shape, its sides already being whole and long enough. */
export function fits(shape: ScreenShape, maxArea: number): boolean {
  const { width, height } = pixelsOf(shape);
  return Math.max(width, height) <= SCREEN_LIMITS.maxSide && width * height <= maxArea;
}

/** A viewer's ratio of pixels as a screen can have it. */
export function followedRatio(viewers: number): number {
  const steps = Math.round(viewers * RATIO_STEPS);
  return Math.min(Math.max(steps / RATIO_STEPS, PIXEL_RATIOS.min), PIXEL_RATIOS.max);
}

/** The wanted ratio, or the highest below it that leaves a screen of this size within its bounds; never less than 1. */
export function ratioWithin(size: Size, wanted: number, maxArea: number): number {
  if (fits({ ...size, pixelRatio: wanted }, maxArea)) return wanted;
  const { width, height } = size;
  const most = Math.min(
    Math.sqrt(maxArea / (width * height)),
    SCREEN_LIMITS.maxSide / Math.max(width, height),
  );
  return Math.max(PIXEL_RATIOS.min, Math.floor(most * LOWERED_STEPS) / LOWERED_STEPS);
}

/**
 * The size of a screen that is shown in a box: the box's own, or the nearest of its shape that a screen can have.
 *
 * @param box in CSS pixels
 * @param maxArea pixels that the screen may have
 */
export function sizeForBox(box: Size, pixelRatio: number, maxArea: number): Size {
  const { minSide, maxSide } = SCREEN_LIMITS;
  const area = maxArea / pixelRatio ** 2;
  const side = (length: number) => Math.max(minSide, Math.round(length));
  const [wide, high] = [side(box.width), side(box.height)];
  const longest = Math.floor(maxSide / pixelRatio);
  const scale = Math.min(1, longest / Math.max(wide, high), Math.sqrt(area / (wide * high)));
  // A side that cannot become shorter leaves less for the other one.
  const shorter = Math.max(minSide, Math.floor(Math.min(wide, high) * scale));
  const longer = Math.min(Math.floor(Math.max(wide, high) * scale), Math.floor(area / shorter));
  return wide < high ? { width: shorter, height: longer } : { width: longer, height: shorter };
}
