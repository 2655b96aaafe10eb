/**
 * Limits of a remote screen for each side and for the area. The minimum of a side is in CSS pixels. The
 * maximum is in pixels of the screen.
 */
export const SCREEN_LIMITS = { minSide: 256, maxSide: 3840, maxArea: 1920 * 1080 } as const;
/** Limits of the pixel ratio. */
export const PIXEL_RATIOS = { min: 1, max: 3 } as const;
/** Chromium rounds a ratio that is set at run time to 64ths. */
const RATIO_STEPS = 64;
/** A ratio that is too high is lowered to a multiple of 1/4, so that scrolling and borders look regular. */
const LOWERED_STEPS = 4;

/** A width and a height. */
export interface Size {
  width: number;
  height: number;
}

/** Shape of a screen: its sides in CSS pixels, and the number of screen pixels for one CSS pixel. */
export interface ScreenShape extends Size {
  pixelRatio: number;
}

/**
 * Returns the sides of a shape in screen pixels. Rounds down, because Chromium rounds up when it computes CSS
 * pixels from them.
 */
export function pixelsOf({ width, height, pixelRatio }: ScreenShape): Size {
  return { width: Math.floor(width * pixelRatio), height: Math.floor(height * pixelRatio) };
}

/** Returns the number of pixels of a screen. */
export function areaOf(shape: ScreenShape): number {
  const { width, height } = pixelsOf(shape);
  return width * height;
}

/** True if a screen may have this shape. Assumes that its sides are whole numbers above the minimum. */
export function fits(shape: ScreenShape, maxArea: number): boolean {
  const { width, height } = pixelsOf(shape);
  return Math.max(width, height) <= SCREEN_LIMITS.maxSide && width * height <= maxArea;
}

/**
 * Returns the pixel ratio for a screen that follows a viewer: the valid ratio that is nearest to the viewer's
 * ratio.
 */
export function followedRatio(viewers: number): number {
  const steps = Math.round(viewers * RATIO_STEPS);
  return Math.min(Math.max(steps / RATIO_STEPS, PIXEL_RATIOS.min), PIXEL_RATIOS.max);
}

/**
 * Returns the wanted pixel ratio if a screen of this size stays within its limits. Otherwise returns the
 * highest multiple of 1/4 with which the screen stays within its limits. The result is never below 1.
 */
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
 * Returns the size of a screen for a box, the area in which a viewer shows the screen. It is the box's own
 * size, or the nearest valid size with about the same aspect ratio. All sizes are in CSS pixels.
 *
 * @param maxArea maximum number of screen pixels
 */
export function sizeForBox(box: Size, pixelRatio: number, maxArea: number): Size {
  const { minSide, maxSide } = SCREEN_LIMITS;
  const area = maxArea / pixelRatio ** 2;
  const enlarged = Math.max(1, minSide / Math.min(box.width, box.height));
  const side = (length: number) => Math.max(minSide, Math.round(length * enlarged));
  const [wide, high] = [side(box.width), side(box.height)];
  const longest = Math.floor(maxSide / pixelRatio);
  const scale = Math.min(1, longest / Math.max(wide, high), Math.sqrt(area / (wide * high)));
  // If one side is already at its minimum, the other side must become shorter.
  const shorter = Math.max(minSide, Math.floor(Math.min(wide, high) * scale));
  const longer = Math.min(Math.floor(Math.max(wide, high) * scale), Math.floor(area / shorter));
  return wide < high ? { width: shorter, height: longer } : { width: longer, height: shorter };
}
