import { CdpError, type CdpSession } from '../cdp/cdp-session.js';
import { askPage } from './ask-page.js';

/**
 * Expression for the display pixels per visible CSS pixel: the screen's pixel ratio, times the browser's
 * zoom, times the pinch zoom.
 */
const SCALE = 'devicePixelRatio * visualViewport.scale';

/** Position and scale of a page on the screen. */
export interface PageGeometry {
  /** The page's top left corner, in pixels of the screen. */
  left: number;
  top: number;
  /** Pixels of the screen per CSS pixel. */
  scale: number;
}

/**
 * Returns the page's position on the screen. Page zoom changes `devicePixelRatio`, but not the window size
 * that a page sees.
 *
 * @param pixelRatio pixels of the display for one CSS pixel of a page that is not zoomed
 * @param urgent true if the input of users waits for the answer
 */
export async function geometryOf(
  page: CdpSession,
  pixelRatio: number,
  urgent: boolean,
): Promise<PageGeometry> {
  const expression = `[screenX, screenY + outerHeight, Math.round(innerHeight * devicePixelRatio), ${SCALE}]`;
  const [left = 0, end = 0, height = 0, scale = 1] = await askNumbers(page, expression, urgent);
  return { left: left * pixelRatio, top: topOf(end * pixelRatio, height), scale };
}

/**
 * Returns the position of an emulated phone's page. The page itself reports a window without a toolbar. So
 * this function uses the window's size from the browser. The page is at the lower edge of the window.
 */
export async function geometryOfPhone(
  page: CdpSession,
  pixelRatio: number,
  urgent: boolean,
): Promise<PageGeometry> {
  const [{ bounds }, [visible = 0, scale = 1]] = await Promise.all([
    // The browser answers this without asking the page.
    page.send('Browser.getWindowForTarget', {}),
    askNumbers(page, `[visualViewport.height, ${SCALE}]`, urgent),
  ]);
  const { left = 0, top = 0, height = 0 } = bounds;
  const end = (top + height) * pixelRatio;
  return { left: left * pixelRatio, top: topOf(end, Math.round(visible * scale)), scale };
}

/**
 * Returns the top of a page whose lower edge is at `end`. The browser reports windows in whole CSS pixels. So
 * a negative difference is a rounding error, and the result is 0.
 */
function topOf(end: number, height: number): number {
  return Math.max(0, end - height);
}

/**
 * Reads numbers from a page. Checks the answer, because a page can answer anything. Rejects with `CdpError`,
 * also if the answer is not a list of numbers.
 */
async function askNumbers(page: CdpSession, expression: string, urgent: boolean): Promise<number[]> {
  const answer = await askPage(page, expression, urgent);
  const isNumber = (value: unknown): value is number => Number.isFinite(value);
  if (!Array.isArray(answer) || !answer.every(isNumber))
    throw new CdpError('Runtime.evaluate', 'refused', 'the page did not send numbers');
  return answer;
}
