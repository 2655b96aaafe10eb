import { Placement } from '../../../src/viewer/picture/placement.js';
import { equal, ok } from '../support/assert.js';

const WIDTH = 161;
const HEIGHT = 121;

describe('the placement of a picture that is shown at double width and triple height', () => {
  let container: HTMLElement;
  let placement: Placement;

  beforeEach(() => {
    container = document.createElement('div');
    Object.assign(container.style, { position: 'fixed', inset: '0 auto auto 0', width: `${WIDTH * 2}px` });
    container.style.height = `${HEIGHT * 3}px`;
    document.body.append(container);
    placement = new Placement(container.appendChild(document.createElement('canvas')), 'contain');
  });
  afterEach(() => container.remove());

  it('finds no remote pixel before there is a picture', () => {
    equal([placement.toRemote(10, 10), placement.nearestRemote(10, 10)], [undefined, undefined]);
  });

  it('finds the remote pixel under a position for every fit', () => {
    placement.size = { width: WIDTH, height: HEIGHT };
    equal(placement.toRemote(0, 0), undefined, 'in the letterbox');
    equal(placement.toRemote(0, HEIGHT / 2), { x: 0, y: 0 });
    equal(placement.toRemote(WIDTH * 2 - 1, HEIGHT * 2.5 - 1), { x: WIDTH - 1, y: HEIGHT - 1 });
    placement.fit = 'fill';
    equal(placement.toRemote(20, 30), { x: 10, y: 10 });
    placement.fit = 'none';
    equal(placement.toRemote(WIDTH / 2 + 7, HEIGHT + 9), { x: 7, y: 9 });
  });

  it('finds the nearest remote pixel for a position beside the picture', () => {
    placement.size = { width: WIDTH, height: HEIGHT };
    equal(placement.nearestRemote(20, 0), { x: 10, y: 0 });
    placement.fit = 'fill';
    equal(placement.nearestRemote(-500, 90), { x: 0, y: 30 });
    equal(placement.nearestRemote(5000, 5000), { x: WIDTH - 1, y: HEIGHT - 1 });
  });
});

describe('the placement of a picture that is almost as large as its container', () => {
  const SIZE = { width: 301, height: 201 };
  let container: HTMLElement;
  let placement: Placement;

  /** Resolves when the picture has been placed in a container of this size. */
  async function open(width: number, height: number, left = 0, dir = 'ltr'): Promise<DOMRect> {
    container = document.createElement('div');
    container.dir = dir;
    Object.assign(container.style, { position: 'fixed', inset: `0 auto auto ${left}px` });
    Object.assign(container.style, { width: `${width}px`, height: `${height}px` });
    document.body.append(container);
    const canvas = container.appendChild(document.createElement('canvas'));
    Object.assign(canvas, SIZE);
    placement = new Placement(canvas, 'contain', container);
    const placed = new Promise((resolve) => placement.once('box', resolve));
    placement.size = SIZE;
    await placed;
    // Waits for another frame, because the observer would miss a second size in the same frame.
    await new Promise(requestAnimationFrame);
    return canvas.getBoundingClientRect();
  }
  afterEach(() => {
    placement.close();
    container.remove();
  });

  for (const [width, height, left, top] of [
    [301, 201, 0, 0],
    [300, 201, 0, 0],
    [299, 203, -1, 1],
    [306, 207, 2, 3],
    [295, 197, -3, -2],
    [301, 500, 0, 149],
  ] as const) {
    for (const dir of ['ltr', 'rtl'])
      it(`centres it without scaling in ${width} x ${height}, on a page with the direction ${dir}`, async () => {
        const rect = await open(width, height, 0, dir);
        equal([rect.left, rect.top, rect.width, rect.height], [left, top, SIZE.width, SIZE.height]);
        equal(placement.toRemote(left + 10.5, top + 20.5), { x: 10, y: 20 });
        equal(placement.toClient(1, 1), { x: left + SIZE.width, y: top + SIZE.height });
        equal(getComputedStyle(container).overflow, left < 0 || top < 0 || width < 301 ? 'clip' : 'visible');
      });
  }

  it('aligns it with device pixels even if the container is not aligned', async () => {
    for (const dir of ['ltr', 'rtl']) {
      const rect = await open(304.4, 204.2, 0.4, dir);
      ok(Math.abs(rect.left - Math.round(rect.left)) < 0.02, String(rect.left));
      ok(Math.abs(rect.width - SIZE.width) < 0.02);
      placement.close();
      container.remove();
    }
  });

  it('scales it if the difference is more than a few pixels, and stops scaling afterwards', async () => {
    await open(400, 201);
    container.style.width = '600px';
    container.style.height = '402px';
    const exact: boolean[] = [];
    const placed = () =>
      new Promise<void>((resolve) => {
        placement.once('place', (is) => {
          exact.push(is);
          requestAnimationFrame(() => resolve());
        });
      });
    await placed();
    equal(placement.toRemote(599, 401), { x: 300, y: 200 });
    container.style.width = '303px';
    container.style.height = '202px';
    await placed();
    equal(exact, [false, true]);
    equal(container.style.overflow, '');
  });

  it('keeps styles that a page has for all canvases off the picture', async () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      'canvas { max-width: 100%; max-height: 50px; min-width: 500px; border: 10px solid; padding: 5px; box-sizing: border-box; aspect-ratio: 1 }',
    );
    document.adoptedStyleSheets.push(sheet);
    try {
      const rect = await open(602, 402);
      equal([rect.left, rect.top, rect.width, rect.height], [0, 0, 602, 402]);
      equal(placement.toRemote(30, 20), { x: 15, y: 10 });
      placement.fit = 'none';
      const { width, height } = placement.canvas.getBoundingClientRect();
      equal([width, height], [SIZE.width, SIZE.height]);
    } finally {
      document.adoptedStyleSheets.pop();
    }
  });

  it('shows a picture with a higher pixel ratio at the size of its page', async () => {
    await open(600, 500);
    placement.pixelRatio = 2;
    placement.fit = 'none';
    const { width, height } = placement.canvas.getBoundingClientRect();
    equal([width, height], [SIZE.width / 2, SIZE.height / 2]);
    equal(placement.scale(), 1);
  });
});
