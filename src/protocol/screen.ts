import { ProtocolError } from './bytes.js';

/**
 * Viewer to host: the size of the area in which this viewer shows the screen. The host adapts the screen to
 * this size while the screen follows this viewer.
 */
export interface BoxMessage {
  type: 'box';
  /** In CSS pixels, above 0. With null, the screen does not follow this viewer. */
  box: { width: number; height: number } | null;
}

/** Host to viewer: the pixel ratio of the screen has changed. It applies to the streams that follow. */
export interface ScreenInfo {
  type: 'screen';
  /** Screen pixels per CSS pixel of the remote pages, 1 to 3. */
  pixelRatio: number;
}

/** Maximum width and height of a box. Both are larger than any window. */
const MAX_BOX_PIXELS = 100_000;

/** Decodes a box message, which is not trusted. Throws {@link ProtocolError}. */
export function decodeBox({ box }: Record<string, unknown>): BoxMessage {
  if (box === null) return { type: 'box', box };
  const { width, height } = (typeof box === 'object' ? box : {}) as { width?: unknown; height?: unknown };
  if (!isSide(width) || !isSide(height))
    throw new ProtocolError(
      `box must be null, or have a width and a height above 0, at most ${MAX_BOX_PIXELS}.`,
    );
  return { type: 'box', box: { width, height } };
}

/** Reads the viewer's own pixel ratio from its hello. Returns undefined for an invalid value. */
export function readPixelRatio(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
}

function isSide(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= MAX_BOX_PIXELS;
}
