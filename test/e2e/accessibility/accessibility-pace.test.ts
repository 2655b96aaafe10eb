import { hold } from '../../support/limits.js';
import { RawViewer } from '../support/raw-viewer.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const NODES = 5_000;
/** A visible gap between frames, in milliseconds. */
const GAP_MS = 50;

/** Fills a page with this many nodes: buttons and their texts. */
const BUTTONS = `{
  const list = document.body.appendChild(document.createElement('main'));
  for (let item = 0; item < ${NODES / 2}; item++) {
    const button = document.createElement('button');
    button.textContent = 'Item ' + item;
    list.append(button);
  }
}`;

/** Gaps between the captured frames, from this index of the list on, in milliseconds. */
function gapsOf(packets: RawViewer['packets'], from: number, to: number): number[] {
  const times = packets.filter(({ refinement, at }) => !refinement && at >= from && at <= to);
  return times
    .slice(1)
    .map(({ captureTime }, index) => ((captureTime - (times[index]?.captureTime ?? 0)) >>> 0) / 1_000);
}

/** Records the time between frames of the page that shows a session. */
const COUNT_GAPS = `{
  let last = performance.now();
  window.gaps = [];
  const next = (at) => {
    window.gaps.push(at - last);
    last = at;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}`;

const wide = (gaps: readonly number[]) => gaps.filter((gap) => gap > GAP_MS);

test.describe('reading the accessibility tree of a large page', { tag: ['@timing', '@alone'] }, () => {
  test('does not slow down an animation of the remote page', async ({ show }) => {
    const { remote, session } = await show('motion', { width: 800, height: 600, fps: 30 });
    await remote.run(BUTTONS);
    const viewer = await RawViewer.open(session);
    await until('frames come', () => viewer.packets.length > 60);
    const told = () =>
      viewer.messages.flatMap((message) =>
        message.type === 'event' && message.name === 'accessibility.onUpdate' ? message.args : [],
      );
    const complete = () =>
      told().some((update) => JSON.stringify(update).includes('"state":"complete"')) || undefined;
    const nodes = () =>
      told()
        .map((update) => JSON.stringify(update).split('"role"').length - 1)
        .reduce((sum, count) => sum + count, 0);
    await viewer.call('subscribe', 'accessibility.onUpdate');
    const asked = performance.now();
    await until('all of it is told', () => complete() && nodes() >= NODES, 120_000);
    const done = performance.now();
    const during = gapsOf(viewer.packets, asked, done);
    await viewer.call('unsubscribe', 'accessibility.onUpdate');
    await until('it rests as long', () => performance.now() - done - 12_000 > done - asked, 120_000);
    const without = gapsOf(viewer.packets, done + 12_000, performance.now());
    const [seen, calm] = [wide(during).length, wide(without).length];
    note(
      `${nodes()} nodes in ${((done - asked) / 1_000).toFixed(1)} s: ${seen} of ${during.length} gaps over ${GAP_MS} ms, longest ` +
        `${Math.max(...during).toFixed(0)}; without ${calm} of ${without.length}, longest ${Math.max(...without).toFixed(0)}`,
    );
    hold('the tree of 5,000 nodes is told', done - asked);
    hold('gaps over 50 ms that reading 5,000 nodes costs', Math.max(0, seen - calm));
    viewer.close();
  });

  test('does not slow down the page that shows the mirror', async ({ show, browser }) => {
    const { remote, session } = await show('text', { width: 800, height: 600 });
    await remote.run(BUTTONS);
    const page = await browser.newPage();
    await page.goto(session.embed_url);
    const element = page.locator('cloud-browser');
    await until('it plays', () => element.evaluate((found) => found.matches(':state(playing)')));
    await page.evaluate(COUNT_GAPS);
    const gaps = () => page.evaluate<number[]>('window.gaps.splice(0)');
    await until('frames come', async () => (await page.evaluate<number>('window.gaps.length')) > 120);
    const calm = await gaps();
    const began = performance.now();
    await element.evaluate((found) => found.setAttribute('accessibility', 'mirror'));
    await element
      .locator('.mirror')
      .getByRole('button', { name: `Item ${NODES / 2 - 1}`, exact: true })
      .waitFor({ state: 'attached' });
    const took = performance.now() - began;
    const during = await gaps();
    note(
      `mirrored in ${(took / 1_000).toFixed(1)} s: ${wide(during).length} of ${during.length} gaps over ${GAP_MS} ms, longest ` +
        `${Math.max(...during).toFixed(0)}; before ${wide(calm).length} of ${calm.length}, longest ${Math.max(...calm).toFixed(0)}`,
    );
    hold(
      'gaps over 50 ms that mirroring 5,000 nodes costs',
      Math.max(0, wide(during).length - wide(calm).length),
    );
    await page.close();
  });
});
