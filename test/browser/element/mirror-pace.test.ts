import '../../../src/element/define.js';
import type { AccessibleNode } from '../../../src/protocol/index.js';
import { equal, ok } from '../support/assert.js';
import { MirroredElement } from '../support/mirrored-element.js';

const NODES = 5_000;
/**
 * Items of a growing list per message, as a session sends it: a part of the list in each message, then the
 * list again.
 */
const PER_MESSAGE = 500;
/**
 * Milliseconds that the test's clock advances each time the mirror reads it. A slice of 8 ms ends after 80
 * readings. So the size of a slice does not depend on the machine.
 */
const MS_PER_QUESTION = 0.1;
/** Texts that a slice may create. The mirror reads the clock about three times for each item of a list. */
const MOST_PER_SLICE = 40;

describe('5,000 nodes of a remote page', () => {
  const realNow = performance.now.bind(performance);
  const realCreate = document.createTextNode.bind(document);
  let mirrored: MirroredElement;

  beforeEach(async () => {
    let now = realNow();
    performance.now = () => (now += MS_PER_QUESTION);
    mirrored = await MirroredElement.connect();
  });

  afterEach(() => {
    mirrored.close();
    performance.now = realNow;
    document.createTextNode = realCreate;
  });

  const find = (selector: string) => mirrored.mirror?.querySelector(selector) ?? null;
  const tell = (nodes: readonly AccessibleNode[], reset?: true) =>
    mirrored.tell({ ...(reset && { reset }), state: 'reading', nodes: [...nodes] });
  const frame = () => new Promise(requestAnimationFrame);

  it('are mirrored in slices that do not slow down the page', async () => {
    while (!find('[role=status]')) await frame();
    const slices: number[] = [];
    let created = 0;
    let going = true;
    document.createTextNode = (text) => {
      created += 1;
      return realCreate(text);
    };
    const countFrame = () => {
      slices.push(created);
      created = 0;
      if (going) requestAnimationFrame(countFrame);
    };
    requestAnimationFrame(countFrame);
    const buttons = Array.from({ length: NODES / 2 }, (_, index) => 2 + index * 2);
    for (let start = 0; start < buttons.length; start += PER_MESSAGE / 2) {
      const known = buttons.slice(0, start + PER_MESSAGE / 2);
      tell(
        [
          { id: 1, role: 'main', children: known },
          ...known.slice(start).flatMap((id): AccessibleNode[] => [
            { id, role: 'button', name: `Item ${id}`, focusable: true, children: [id + 1] },
            { id: id + 1, role: 'StaticText', name: `Item ${id}`, children: [] },
          ]),
        ],
        start === 0 || undefined,
      );
      await frame();
    }
    while (find(`#node-${NODES}`)?.textContent !== `Item ${NODES}`) await frame();
    going = false;
    equal(find('[role=main]')?.childElementCount, NODES / 2);
    const largest = Math.max(...slices);
    ok(largest > 0 && largest <= MOST_PER_SLICE, `${largest} of at most ${MOST_PER_SLICE} in one slice`);
  });
});
