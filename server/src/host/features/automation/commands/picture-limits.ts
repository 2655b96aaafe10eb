import { isRecord } from '../../../../platform/is-record.js';
import { numberOf, RefusedCommand, type ClientCommand } from './messages.js';

/**
 * Maximum number of pixels of a screenshot. A whole page of 1920 by 16384 pixels has half as many. With more
 * than twice as many, Chromium ends.
 */
const MAX_PIXELS = 64_000_000;
/** Maximum scale of a screenshot. Chromium scales the whole page, even if the clip is small. */
const MAX_SCALE = 10;
/**
 * Minimum width and height of the part of a sheet that shows the page, in CSS pixels: one inch. Chromium
 * splits the page into such parts before it answers, and draws nothing meanwhile.
 */
const MIN_SHEET = 96;
/** CSS pixels of an inch. */
const INCH = 96;

/**
 * Refuses a picture of a page that would end the browser, or stop the page for a long time. Throws
 * {@link RefusedCommand}.
 *
 * @param pixelRatio pixels of the screen per CSS pixel
 */
export function refuseHugePictures({ method, params }: ClientCommand, pixelRatio: number): void {
  if (method === 'Page.captureScreenshot' && isHuge(params['clip'], pixelRatio)) throw tooLarge(method);
  if (method === 'Page.printToPDF' && isTiny(params))
    throw new RefusedCommand(
      'refused',
      `${method}: the sheets are too small. Leave at least one inch between the margins, for each step of the scale.`,
    );
}

/** True if a screenshot shows a whole page, whose size only the browser knows. */
export function showsWholePage({ method, params }: ClientCommand): boolean {
  return (
    method === 'Page.captureScreenshot' &&
    params['captureBeyondViewport'] === true &&
    !isRecord(params['clip'])
  );
}

/**
 * Refuses a screenshot of a whole page that would end the browser. Throws {@link RefusedCommand}.
 *
 * @param metrics result of `Page.getLayoutMetrics`. Undefined if the page did not answer, so that the
 *   screenshot is not answered either
 */
export function refuseHugePage(
  { method }: ClientCommand,
  metrics: Readonly<Record<string, unknown>> | undefined,
  pixelRatio: number,
): void {
  const size = metrics?.['cssContentSize'];
  if (isRecord(size) && isHuge({ ...size, scale: 1 }, pixelRatio)) throw tooLarge(method);
}

function tooLarge(method: string): RefusedCommand {
  return new RefusedCommand(
    'refused',
    `${method}: the picture is too large. Use a scale of at most ${MAX_SCALE}, and a clip of at most ${MAX_PIXELS} pixels.`,
  );
}

function isHuge(clip: unknown, pixelRatio: number): boolean {
  if (!isRecord(clip)) return false;
  const { width, height } = clip;
  const scale = numberOf(clip['scale'], 0);
  const area = numberOf(width, 0) * numberOf(height, 0);
  return scale > MAX_SCALE || area * (scale * pixelRatio) ** 2 > MAX_PIXELS;
}

/** Chromium's defaults are sheets of 8.5 by 11 inches with margins of 0.4 inches. */
function isTiny({ paperWidth, paperHeight, scale, ...margins }: ClientCommand['params']): boolean {
  const margin = (name: string): number => numberOf(margins[`margin${name}`], 0.4);
  const least = MIN_SHEET * numberOf(scale, 1);
  const width = numberOf(paperWidth, 8.5) - margin('Left') - margin('Right');
  const height = numberOf(paperHeight, 11) - margin('Top') - margin('Bottom');
  return width * INCH < least || height * INCH < least;
}
