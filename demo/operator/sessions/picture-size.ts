/** Width and height in pixels. */
export interface PixelSize {
  width: number;
  height: number;
}

/** Largest picture of a session. A tile of the overview needs no more. */
const LARGEST: PixelSize = { width: 480, height: 270 };
/** Scale of the first picture, which suits the default screen of 1280 × 720. */
const FIRST_SCALE = 0.375;
/** Smallest scale that the API accepts. */
const SMALLEST_SCALE = 0.05;

/** Returns the scale of the next picture, relative to the screen. */
export function scaleFor(screen: PixelSize | undefined): number {
  if (!screen) return FIRST_SCALE;
  const fitting = Math.min(LARGEST.width / screen.width, LARGEST.height / screen.height, 1);
  return Math.max(SMALLEST_SCALE, Math.round(fitting * 1_000) / 1_000);
}

/** Returns the approximate size of the screen that a picture shows. */
export function screenOf({ width, height }: PixelSize, scale: number): PixelSize {
  return { width: width / scale, height: height / scale };
}
