import type { CdpSession } from '../cdp/cdp-session.js';

/** A page that does not answer is not waited for. Milliseconds. */
const QUESTION_TIMEOUT_MS = 300;
/** A page that takes longer is shown as it is. Milliseconds. */
const REPAINT_TIMEOUT_MS = 2_000;
/** So long a page keeps a size that is not the one expected before it counts as settled. Milliseconds. */
const SETTLED_MS = 300;

/** Animation frames from the one that sees a size to one that is certainly begun after the first has been shown. */
const FRAMES_AHEAD = 4;

/**
 * Runs in the page until it has painted at another size. A picture is on the screen two animation frames after the one in
 * which the page first saw its size; on a busy machine it takes four, since Chromium prepares frames ahead of the one shown.
 * The page grows and shrinks as the screen does; an emulated phone has a size of its own, which changes too. One whose window
 * cannot follow, as Chromium's are never narrower than their toolbar, has painted when its size does not change any more.
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
 * To be called before the screen gets another size. Answers a function that resolves when the page has painted at that size,
 * or does not do so in time.
 *
 * @param page the page in front
 * @param growth of the screen, in pixels, and of its pixel ratio, as a factor
 * @param emulated the page does not see the size of the screen
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
    // Nothing tells when a page that does not answer has painted.
    if (promiseObjectId === undefined)
      return new Promise((resolve) => setTimeout(resolve, REPAINT_TIMEOUT_MS));
    // The page may go away meanwhile: whatever comes in its place is painted at the right size.
    await page.send('Runtime.awaitPromise', { promiseObjectId }, REPAINT_TIMEOUT_MS).catch(() => undefined);
  };
}
