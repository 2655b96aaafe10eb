/**
 * The ways to fit the remote picture into the surface (the area for it on the page), as in CSS `object-fit`.
 * `contain` shows the whole picture. `cover` fills the surface and cuts off parts of the picture. `fill`
 * stretches the picture. `none` does not scale it.
 */
export const FITS = ['contain', 'cover', 'fill', 'none'] as const;

/** One of {@link FITS}. */
export type Fit = (typeof FITS)[number];

/** A width and a height in pixels. */
export interface Size {
  width: number;
  height: number;
}

/** A position in pixels. */
export interface Point {
  x: number;
  y: number;
}

/** A rectangle in CSS pixels, for example from `getBoundingClientRect()`. */
export interface Rect extends Size {
  left: number;
  top: number;
}

/**
 * Returns the rectangle of the whole remote picture, in the coordinates of `surface`. It may be larger than
 * the surface.
 */
export function placePicture(surface: Rect, remote: Size, fit: Fit): Rect {
  const { x, y } = pictureScale(surface, remote, fit);
  const width = remote.width * x;
  const height = remote.height * y;
  return {
    left: surface.left + (surface.width - width) / 2,
    top: surface.top + (surface.height - height) / 2,
    width,
    height,
  };
}

/** Returns CSS pixels per remote pixel, horizontally and vertically. They differ only for `fill`. */
export function pictureScale(surface: Size, remote: Size, fit: Fit): Point {
  if (remote.width <= 0 || remote.height <= 0) return { x: 1, y: 1 };
  const x = surface.width / remote.width;
  const y = surface.height / remote.height;
  switch (fit) {
    case 'contain':
      return { x: Math.min(x, y), y: Math.min(x, y) };
    case 'cover':
      return { x: Math.max(x, y), y: Math.max(x, y) };
    case 'fill':
      return { x, y };
    case 'none':
      return { x: 1, y: 1 };
  }
}

/**
 * Converts a position on the page to a position on the remote screen, without rounding. Undefined if the
 * picture has no area. Positions outside the picture result in coordinates outside the remote screen, see
 * {@link insideRemote} and {@link clampToRemote}.
 */
export function clientToRemote(client: Point, surface: Rect, remote: Size, fit: Fit): Point | undefined {
  const picture = placePicture(surface, remote, fit);
  if (picture.width <= 0 || picture.height <= 0) return undefined;
  return {
    x: ((client.x - picture.left) / picture.width) * remote.width,
    y: ((client.y - picture.top) / picture.height) * remote.height,
  };
}

/**
 * Converts a position on the remote screen to a position on the page. This is the inverse of
 * {@link clientToRemote}.
 */
export function remoteToClient(point: Point, surface: Rect, remote: Size, fit: Fit): Point {
  const picture = placePicture(surface, remote, fit);
  const scale = pictureScale(surface, remote, fit);
  return { x: picture.left + point.x * scale.x, y: picture.top + point.y * scale.y };
}

/** True if a remote position is on the remote screen. */
export function insideRemote(point: Point, remote: Size): boolean {
  return point.x >= 0 && point.y >= 0 && point.x < remote.width && point.y < remote.height;
}

/**
 * Tolerance for rounding errors. After a division and a multiplication, a whole number may be slightly too
 * small.
 */
const ROUNDING_PIXELS = 1e-6;

/**
 * Returns the pixel of the remote screen that contains a remote position, in whole numbers. Outside the
 * screen, returns the nearest pixel.
 */
export function clampToRemote(point: Point, remote: Size): Point {
  return {
    x: Math.max(0, Math.min(remote.width - 1, Math.floor(point.x + ROUNDING_PIXELS))),
    y: Math.max(0, Math.min(remote.height - 1, Math.floor(point.y + ROUNDING_PIXELS))),
  };
}
