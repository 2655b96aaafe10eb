import type { CdpConnection } from '../cdp/cdp-connection.js';

/** A page that does not answer is not waited for. Milliseconds. */
const QUESTION_MS = 300;
/** A page that takes longer is shown as it is. Milliseconds. */
const REPAINT_MS = 2_000;
/** So long a page keeps a size that is not the one expected before it counts as settled. Milliseconds. */
const SETTLED_MS = 300;

/** Animation frames from the one that sees a size to one that is certainly begun after the first has been shown. */
const FRAMES_AHEAD = 4;

/**
 * Runs in the page until it has painted at another size. A picture is on the screen two animation frames after the one in
 * which the page first saw its size; on a busy machine it takes four, since Chromium prepares frames ahead of the one shown.
 * The page grows and shrinks as the screen does; one in disguise has a size of its own, which changes too. One whose window
 * cannot follow, as Chromium's are never narrower than their toolbar, has painted when its size does not change any more.
 */
const WATCH = `(right, down, disguised) => new Promise((done) => {
  const size = () => [innerWidth * devicePixelRatio, innerHeight * devicePixelRatio];
  const [width, height] = size();
  const is = (x, y) => size().every((side, index) => Math.abs(side - [x, y][index]) <= 2);
  const fits = () => disguised ? !is(width, height) : is(width + right, height + down);
  const end = performance.now() + ${REPAINT_MS};
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
 * @param page CDP session of the page in front
 * @param growth of the screen, in pixels
 */
export async function expectRepaint(
  cdp: CdpConnection,
  page: string,
  growth: { width: number; height: number },
  disguised: boolean,
): Promise<() => Promise<void>> {
  const expression = `(${WATCH})(${growth.width}, ${growth.height}, ${disguised})`;
  const asked = cdp
    .send('Runtime.evaluate', { expression }, page)
    .then(({ result }) => (result as { objectId?: string }).objectId);
  const promiseObjectId = await within(QUESTION_MS, asked);
  return async () => {
    const answered = promiseObjectId
      ? cdp.send('Runtime.awaitPromise', { promiseObjectId }, page)
      : new Promise<never>(() => undefined);
    await within(REPAINT_MS, answered);
  };
}

/** What comes in time, if anything does. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } catch {
    // The page went away meanwhile: whatever comes in its place is painted at the right size.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
