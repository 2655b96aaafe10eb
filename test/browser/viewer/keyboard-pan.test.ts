import type { RemoteField } from '../../../src/protocol/index.js';
import { KeyboardPan } from '../../../src/viewer/controls/keyboard-pan.js';
import { Placement, type PictureShift } from '../../../src/viewer/picture/placement.js';
import { equal, ok } from '../support/assert.js';

const WIDTH = 300;
const HEIGHT = 500;
/** A field at this distance from the top of the remote screen, which has twice the page's pixels. */
const fieldAt = (top: number, height = 60): RemoteField => ({
  ...{ id: top, place: 'page', inputMode: 'text', enterKeyHint: 'go', capitals: 'none', autocomplete: '' },
  ...{ password: false, multiline: false },
  ...{ rectangle: [40, top, 400, height], caret: [50, top + height - 40, 0, 30] },
});

describe('the picture above a phone’s keyboard', () => {
  let container: HTMLElement;
  let canvas: HTMLCanvasElement;
  let pan: KeyboardPan;
  let told: PictureShift[];
  beforeEach(async () => {
    container = document.body.appendChild(document.createElement('div'));
    const style = { position: 'fixed', left: '0', top: '0', width: `${WIDTH}px`, height: `${HEIGHT}px` };
    Object.assign(container.style, { ...style, overflow: 'hidden' });
    canvas = container.appendChild(document.createElement('canvas'));
    const placement = new Placement(canvas, 'contain');
    placement.size = { width: 2 * WIDTH, height: 2 * HEIGHT };
    told = [];
    pan = new KeyboardPan(container, placement, (shift) => told.push(shift));
    see(HEIGHT);
    await resized();
  });
  afterEach(() => {
    pan.close();
    container.remove();
    for (const name of ['height', 'offsetTop']) Reflect.deleteProperty(visualViewport!, name);
  });

  /** Limits the visible part of the page to this height, below the scrolled part. */
  function see(height: number, offsetTop = 0): void {
    for (const [name, value] of Object.entries({ height, offsetTop }))
      Object.defineProperty(visualViewport, name, { configurable: true, value });
    visualViewport!.dispatchEvent(new Event('resize'));
  }
  /** Resolves after the size observers were called. */
  const resized = () =>
    new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
  const up = () => -canvas.getBoundingClientRect().top;

  it('moves until the whole field is visible, and moves back', () => {
    pan.follow(fieldAt(800), true);
    equal(up(), 0);
    see(250);
    // Its lower end is at 430 px, and 8 px stay free.
    equal(up(), 430 + 8 - 250);
    equal(told.at(-1)?.covered, 250);
    pan.follow(fieldAt(100), true);
    equal(up(), 0);
    pan.follow(fieldAt(940), true);
    equal(up(), 500 + 8 - 250);
    pan.follow(undefined, false);
    equal(up(), 0);
  });

  it('shows the caret of a field that is higher than the visible area', () => {
    see(200);
    pan.follow(fieldAt(100, 800), true);
    // The caret's lower end is at 445 px.
    equal(up(), 445 + 8 - 200);
  });

  it('does not move without a keyboard or for a field at an unknown place', () => {
    see(250);
    pan.follow(fieldAt(800), false);
    equal(up(), 0);
    pan.follow({ ...fieldAt(800), rectangle: null, caret: null }, true);
    equal(up(), 0);
  });

  it("takes the browser's own scrolling into account", () => {
    pan.follow(fieldAt(800), true);
    see(250, 200);
    equal(up(), 0);
  });

  it('follows when the user scrolls the page', async () => {
    const tall = document.body.appendChild(document.createElement('div'));
    tall.style.height = '3000px';
    container.style.position = 'absolute';
    see(250);
    pan.follow(fieldAt(800), true);
    const before = up();
    scrollTo({ top: 150, behavior: 'instant' });
    await resized();
    // The picture has moved up with the page, so the shift is smaller.
    equal([before, up(), told.at(-1)?.up], [188, 188, 38]);
    scrollTo({ top: 0, behavior: 'instant' });
    tall.remove();
  });

  it('stays in the visible area when the remote page scrolls its field out of the screen', () => {
    see(250);
    pan.follow(fieldAt(800), true);
    pan.follow(fieldAt(-1000), true);
    equal(up(), 0);
    pan.follow(fieldAt(2400), true);
    // The lower end of the picture is at 500 px.
    equal(up(), 500 + 8 - 250);
  });

  it('moves down to a field above the visible area, at most until its upper end is visible', () => {
    see(250, 200);
    pan.follow(fieldAt(160), true);
    // The upper end of the field is at 80 px.
    equal(up(), 80 - 8 - 200);
    pan.follow(fieldAt(-1000), true);
    equal(up(), -200);
  });

  it('keeps its size if the keyboard makes the page shorter, and returns to its old place', async () => {
    pan.follow(fieldAt(800), true);
    container.style.height = '250px';
    await resized();
    equal(canvas.getBoundingClientRect().height, HEIGHT);
    equal(up(), 430 + 8 - 250);
    pan.follow(undefined, false);
    equal(canvas.getBoundingClientRect().height, HEIGHT);
    container.style.height = `${HEIGHT}px`;
    await resized();
    equal([canvas.style.height, up()], ['100%', 0]);
  });

  it('keeps its exact pixels, and listeners for the size are not notified about the keyboard', async () => {
    pan.close();
    const placement = new Placement(canvas, 'contain', container);
    placement.size = { width: WIDTH, height: HEIGHT };
    let heard = 0;
    placement.on('box', ({ css }) => (heard = css.height));
    pan = new KeyboardPan(container, placement, (shift) => told.push(shift));
    await resized();
    pan.follow(fieldAt(400), true);
    container.style.height = '250px';
    await resized();
    equal([canvas.getBoundingClientRect().height, up(), heard], [HEIGHT, 460 + 8 - 250, HEIGHT]);
    container.style.height = `${HEIGHT}px`;
    pan.follow(undefined, false);
    await resized();
    equal([canvas.getBoundingClientRect().height, up(), heard], [HEIGHT, 0, HEIGHT]);
    equal(canvas.style.height, `${HEIGHT}px`);
    placement.close();
  });

  it('has the shape of a phone that is turned on its side while the keyboard is open', async () => {
    pan.follow(fieldAt(800), true);
    Object.assign(container.style, { width: `${HEIGHT}px`, height: '150px' });
    await resized();
    see(150);
    equal([canvas.getBoundingClientRect().height, told.at(-1)?.height], [WIDTH, WIDTH]);
    ok(up() > 0 && up() <= WIDTH - 150, 'the picture is moved, at most until its lower end is visible');
    pan.follow(undefined, false);
    container.style.height = '280px';
    await resized();
    equal([canvas.style.height, up()], ['100%', 0]);
  });

  it('fits a container whose height does not come from the phone', async () => {
    Object.assign(container.style, { height: '200px' });
    await resized();
    pan.follow(fieldAt(800), true);
    Object.assign(container.style, { width: `${HEIGHT}px` });
    await resized();
    equal(canvas.getBoundingClientRect().height, 200);
  });

  it('is restored when the viewer is closed', () => {
    pan.follow(fieldAt(800), true);
    see(250);
    pan.close();
    equal([canvas.style.transform, canvas.style.height], ['', '100%']);
  });
});
