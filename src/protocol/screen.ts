import { ProtocolError } from './bytes.js';

/** Viewer to host: the place that this viewer has for the screen, which is to fill it. It does when this viewer's user decides. */
export interface BoxMessage {
  type: 'box';
  /** In CSS pixels, above 0; null: the screen is not to follow this viewer, or not any more. */
  box: { width: number; height: number } | null;
}

/** Host to viewer: the screen has another pixel ratio than the `welcome` said. The streams that follow have it. */
export interface ScreenInfo {
  type: 'screen';
  /** Pixels of the screen for one CSS pixel of the remote pages, 1 to 3. */
  pixelRatio: number;
}

/** No window is larger. */
const MAX_BOX_PIXELS = 100_000;

/** Reads a box message, which is not trusted. Throws {@link ProtocolError}. */
export function decodeBox({ box }: Record<string, unknown>): BoxMessage {
  if (box === null) return { type: 'box', box };
  const { width, height } = (typeof box === 'object' ? box : {}) as { width?: unknown; height?: unknown };
  if (!isSide(width) || !isSide(height))
    throw new ProtocolError(
      `box must be null, or have a width and a height above 0, at most ${MAX_BOX_PIXELS}.`,
    );
  return { type: 'box', box: { width, height } };
}

/** The viewer's own ratio in its hello. What is none counts as not told. */
export function readPixelRatio(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
}

function isSide(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= MAX_BOX_PIXELS;
}
