import { Placement } from '../../../src/viewer/picture/placement.js';
import { equal, ok } from '../support/assert.js';

const REMOTE = { width: 800, height: 500 };
/** Parts of the remote screen, from its left upper corner. */
const SPOTS = [
  [0.01, 0.01],
  [0.9, 0.05],
  [0.5, 0.5],
  [0.25, 0.75],
  [0.98, 0.97],
] as const;

type Style = Partial<CSSStyleDeclaration>;

const OWN: Record<string, Style> = {
  none: {},
  rotate: { transform: 'rotate(30deg)' },
  'rotate on its head': { transform: 'rotate(180deg)' },
  'rotate upright': { rotate: '90deg', transformOrigin: '20% 70%' },
  skew: { transform: 'skew(20deg, -10deg)' },
  'scale and rotate': { transform: 'scale(0.6, 1.3) rotate(-75deg)' },
  mirror: { transform: 'scaleX(-1)', transformOrigin: 'left bottom' },
  'scale alone': { scale: '0.5', translate: '17.3px 9.1px' },
  perspective: { transform: 'perspective(700px) rotateY(35deg) rotateX(-20deg)' },
};

const AROUND: Record<string, Style> = {
  none: {},
  'rotate and zoom': { transform: 'rotate(-12deg) skewX(8deg)', zoom: '1.25', margin: '400px 0 0 360px' },
  'perspective and preserve-3d': {
    ...{ transform: 'rotateX(25deg)', transformStyle: 'preserve-3d' },
    perspective: '900px',
    perspectiveOrigin: '30% 10%',
  },
};

let page: HTMLElement;
let container: HTMLElement;
let placement: Placement;

/**
 * Shows a picture in a styled container in a shadow root, in an element with another style, on a scrolled
 * page.
 */
async function show(own: Style, around: Style, size = { width: 333, height: 301 }): Promise<void> {
  page = document.createElement('div');
  Object.assign(page.style, { position: 'absolute', left: '0', top: '0', width: '3000px', height: '3000px' });
  const outer = document.createElement('div');
  Object.assign(outer.style, { margin: '600px 0 0 550px', width: '500px' }, around);
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  container = document.createElement('div');
  Object.assign(
    container.style,
    { position: 'relative', display: 'flow-root', width: `${size.width}px`, height: `${size.height}px` },
    own,
  );
  root.append(container);
  outer.append(host);
  page.append(outer);
  document.body.append(page);
  scrollTo(310, 360);
  const canvas = container.appendChild(document.createElement('canvas'));
  Object.assign(canvas, REMOTE);
  placement = new Placement(canvas, 'contain', container);
  const placed = new Promise((resolve) => placement.once('box', resolve));
  placement.size = REMOTE;
  await placed;
  // Waits for another frame, because the observer would miss a second size in the same frame.
  await new Promise(requestAnimationFrame);
}

/** The place where the spot is drawn: the middle of a mark of 4 pixels over the picture. */
function drawn(x: number, y: number): { x: number; y: number; mark: HTMLElement } {
  const { width, height } = container.style;
  const { objectFit, marginLeft, marginTop } = placement.canvas.style;
  const exact = objectFit === 'fill';
  const scale = exact ? 1 : Math.min(parseFloat(width) / REMOTE.width, parseFloat(height) / REMOTE.height);
  const at = (part: number, box: string, margin: string, remote: number) =>
    `${(exact ? parseFloat(margin) : (parseFloat(box) - remote * scale) / 2) + part * remote * scale - 2}px`;
  const mark = container.appendChild(document.createElement('div'));
  Object.assign(mark.style, { position: 'absolute', width: '4px', height: '4px' });
  mark.style.left = at(x, width, marginLeft, REMOTE.width);
  mark.style.top = at(y, height, marginTop, REMOTE.height);
  const box = mark.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2, mark };
}

/** @param is3d Chromium hits what lies behind in 3D, though it draws the mark before it */
function check(name: string, is3d = false): void {
  for (const [x, y] of SPOTS) {
    const there = drawn(x, y);
    const found = placement.toClient(x, y);
    const apart = Math.hypot(found.x - there.x, found.y - there.y);
    ok(apart < 0.5, `${name}: ${x}, ${y} is shown ${apart} px beside its place`);
    const root = container.getRootNode() as ShadowRoot;
    const seen = there.x > 9 && there.y > 9 && there.x < innerWidth - 9 && there.y < innerHeight - 9;
    const hit = root.elementFromPoint(found.x, found.y);
    ok(is3d || !seen || hit === there.mark, `${name}: at ${x}, ${y} ${hit?.outerHTML ?? ''} is hit`);
    const remote = placement.toRemote(there.x, there.y);
    const beside = remote && Math.hypot(remote.x - x * REMOTE.width, remote.y - y * REMOTE.height);
    ok(
      (beside ?? Infinity) < 1.5 / placement.scale() + 1.5,
      `${name}: ${x}, ${y} is found ${beside} px beside`,
    );
    const own = placement.toContainer(there.x, there.y);
    const off = Math.hypot(own.x - there.mark.offsetLeft - 2, own.y - there.mark.offsetTop - 2);
    ok(off < 1.5, `${name}: ${off} px beside in the container`);
    there.mark.remove();
  }
}

describe('a picture under CSS transforms', () => {
  afterEach(() => {
    placement.close();
    page.remove();
    scrollTo(0, 0);
  });

  for (const [around, outer] of Object.entries(AROUND)) {
    for (const [own, style] of Object.entries(OWN))
      it(`maps points to the place where they are drawn: ${own}, in an element with ${around}`, async () => {
        await show(style, outer);
        const is3d = [own, around].some((transform) => transform.includes('perspective'));
        check('scaled', is3d);
        placement.close();
        page.remove();
        await show(style, outer, { width: REMOTE.width + 6, height: REMOTE.height - 4 });
        check('pixel for pixel', is3d);
      });
  }

  it('follows a transform that changes alone', async () => {
    await show({}, {});
    check('before');
    for (const transform of ['rotate(180deg)', 'rotate(10deg)', 'rotate(-10deg)', 'scale(-1, 1)', '']) {
      container.style.transform = transform;
      check(transform);
    }
    page.style.transform = 'rotate(3deg)';
    check('around');
  });

  it('has no remote pixel beside it, except the nearest one for a drag', async () => {
    await show({ transform: 'rotate(45deg)' }, {});
    const corner = container.getBoundingClientRect();
    equal(placement.toRemote(corner.left + 2, corner.top + 2), undefined);
    const { x, y } = placement.toClient(1, 0.5);
    equal(placement.nearestRemote(x + 100, y + 100), { x: REMOTE.width - 1, y: REMOTE.height / 2 });
  });

  it('gets no scroll bars from the measurement, and nothing is left behind', async () => {
    await show({ overflow: 'auto', transform: 'rotate(45deg)' }, {});
    placement.toClient(0, 0);
    equal([container.scrollWidth, container.scrollHeight], [container.clientWidth, container.clientHeight]);
    placement.close();
    equal(container.childElementCount, 1);
  });
});
