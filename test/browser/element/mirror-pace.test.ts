import '../../../src/element/define.js';
import type { AccessibleNode } from '../../../src/protocol/index.js';
import { LIMITS, USUAL_SLACK } from '../../support/limit-table.js';
import { equal, ok } from '../support/assert.js';
import { MirroredElement } from '../support/mirrored-element.js';

const NODES = 5_000;
/**
 * Items of a growing list per message, as a session sends it: a part of the list in each message, then the
 * list again.
 */
const PER_MESSAGE = 500;

describe('5,000 nodes of a remote page', () => {
  let mirrored: MirroredElement;

  beforeEach(async () => {
    mirrored = await MirroredElement.connect();
  });

  afterEach(() => mirrored.close());

  const find = (selector: string) => mirrored.mirror?.querySelector(selector) ?? null;
  const tell = (nodes: readonly AccessibleNode[], reset?: true) =>
    mirrored.tell({ ...(reset && { reset }), state: 'reading', nodes: [...nodes] });
  const frame = () => new Promise(requestAnimationFrame);

  it('are mirrored in slices that leave the page its frames', async () => {
    while (!find('[role=status]')) await frame();
    const gaps: number[] = [];
    let last = performance.now();
    let going = true;
    const next = (at: number) => {
      gaps.push(at - last);
      last = at;
      if (going) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
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
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    while (find(`#node-${NODES}`)?.textContent !== `Item ${NODES}`) await frame();
    going = false;
    equal(find('[role=main]')?.childElementCount, NODES / 2);
    const longest = Math.max(...gaps);
    const { most } = LIMITS['longest gap while 5,000 nodes come into a page'];
    ok(longest <= most * USUAL_SLACK, `${longest.toFixed(0)} ms of at most ${most * USUAL_SLACK}`);
  });
});
