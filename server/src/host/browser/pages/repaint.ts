import type { CdpSession } from '../cdp/cdp-session.js';

/** Timeout for a page to accept the request. Milliseconds. */
const QUESTION_TIMEOUT_MS = 300;
/** Timeout for painting. A page that takes longer is shown as it is. Milliseconds. */
const REPAINT_TIMEOUT_MS = 2_000;
/** Time without a change after which an unexpected page size counts as final. Milliseconds. */
const SETTLED_MS = 300;

/**
 * Number of animation frames to wait after the first frame with the new size. When the last of these frames
 * begins, the picture with the new size is certainly on the screen.
 */
const FRAMES_AHEAD = 4;

/**
 * Script that runs in the page until the page has painted at another size. The picture is on the screen two
 * animation frames after the first frame with the new size. On a busy machine it takes four frames, because
 * Chromium prepares frames in advance. The script expects that the page grows or shrinks by as many pixels as
 * the screen. On an emulated phone it expects only that the size or the pixel ratio changes. A window of
 * Chromium cannot be narrower than its toolbar, so its page may get an unexpected size. Such a page counts as
 * painted when its size has not changed for some time.
 */
const WATCH = `(right, down, finer, emulated) => new Promise((done) => {
  const ratio = devicePixelRatio;
  const size = () => [innerWidth * devicePixelRatio, innerHeight * devicePixelRatio];
  const [width, height] = size();
  const slack = 2 * Math.max(1, ratio, ratio * finer);
  const is = (x, y) => size().every((side, index) => Math.abs(side - [x, y][index]) <= slack);
  const scaled = () => Math.abs(devicePixelRatio / ratio - finer) < 0.02;
  const fits = () => scaled() && (emulated && finer === 1 ? !is(width, height) : emulated || is(width + right, height + down));
  const end = performance.now() + ${REPAINT_TIMEOUT_MS};
  let [last, since] = [String([width, height]), Infinity];
  const look = () => {
    const now = performance.now();
    if (String(size()) !== last) [last, since] = [String(size()), now];
    if (fits() || now - since > ${SETTLED_MS}) after(${FRAMES_AHEAD});
    else if (now < end) requestAnimationFrame(look);
  };
  const after = (frames) => frames > 0 ? requestAnimationFrame(() => after(frames - 1)) : done();
  requestAnimationFrame(look);
})`;

/**
 * Prepares for a new size of the screen. Call it before the change. Returns a function to call after the
 * change. The promise of that function resolves when the page has painted at the new size, or at the timeout.
 *
 * @param page the active page
 * @param growth change of the screen in pixels, and of its pixel ratio as a factor
 * @param emulated true if the page does not see the size of the screen
 */
export async function expectRepaint(
  page: CdpSession,
  growth: { width: number; height: number; ratio: number },
  emulated: boolean,
): Promise<() => Promise<void>> {
  const expression = `(${WATCH})(${growth.width}, ${growth.height}, ${growth.ratio}, ${emulated})`;
  const promiseObjectId = await page
    .send('Runtime.evaluate', { expression }, QUESTION_TIMEOUT_MS)
    .then(({ result }) => result.objectId)
    .catch(() => undefined);
  return async () => {
    // Waits for the whole timeout, because a page that does not answer cannot report that it has painted.
    if (promiseObjectId === undefined)
      return new Promise((resolve) => setTimeout(resolve, REPAINT_TIMEOUT_MS));
    // Ignores failures. The page may go away meanwhile, and its replacement is painted at the right size.
    await page.send('Runtime.awaitPromise', { promiseObjectId }, REPAINT_TIMEOUT_MS).catch(() => undefined);
  };
}
