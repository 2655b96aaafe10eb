/**
 * How the remote picture fills the surface, as CSS `object-fit` has it: `contain` shows all of it, `cover` leaves
 * nothing blank, `fill` stretches, `none` keeps its pixels.
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

/** A rectangle in CSS pixels, for instance of `getBoundingClientRect()`. */
export interface Rect extends Size {
  left: number;
  top: number;
}

/** Where the whole remote picture lies, in the coordinates of `surface`; it may be larger than the surface. */
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

/** CSS pixels per remote pixel, horizontally and vertically; they differ for `fill` alone. */
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
 * The remote pixel under a client position, not rounded. Undefined when there is no picture. Positions beside the
 * picture give coordinates outside the remote screen: see {@link insideRemote} and {@link clampToRemote}.
 */
export function clientToRemote(client: Point, surface: Rect, remote: Size, fit: Fit): Point | undefined {
  const picture = placePicture(surface, remote, fit);
  if (picture.width <= 0 || picture.height <= 0) return undefined;
  return {
    x: ((client.x - picture.left) / picture.width) * remote.width,
    y: ((client.y - picture.top) / picture.height) * remote.height,
  };
}

/** The client position of a remote position; the inverse of {@link clientToRemote}. */
export function remoteToClient(point: Point, surface: Rect, remote: Size, fit: Fit): Point {
  const picture = placePicture(surface, remote, fit);
  const scale = pictureScale(surface, remote, fit);
  return { x: picture.left + point.x * scale.x, y: picture.top + point.y * scale.y };
}

/** Whether a remote position is on the remote screen. */
export function insideRemote(point: Point, remote: Size): boolean {
  return point.x >= 0 && point.y >= 0 && point.x < remote.width && point.y < remote.height;
}

/** A division and a multiplication may leave a whole number this little below itself. */
const ROUNDING_PIXELS = 1e-6;

/** The pixel of the remote screen nearest to a remote position, as whole numbers. */
export function clampToRemote(point: Point, remote: Size): Point {
  return {
    x: Math.max(0, Math.min(remote.width - 1, Math.floor(point.x + ROUNDING_PIXELS))),
    y: Math.max(0, Math.min(remote.height - 1, Math.floor(point.y + ROUNDING_PIXELS))),
  };
}
