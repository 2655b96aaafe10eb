import { sendMouse } from '@web/test-runner-commands';
import { equal, ok } from './assert.js';
import { bench, frame, mouse, type Bench } from './harness.js';

describe('the mouse', () => {
  let hand: Bench;
  beforeEach(() => (hand = bench()));
  afterEach(() => hand.close());

  const buttons = (b: Bench) =>
    b.of('button').map(({ button, pressed, x, y }) => ({ button, pressed, x, y }));

  it('sends a real click in remote pixels, and takes the focus', async () => {
    await sendMouse({ type: 'click', position: [100, 50] });
    equal(buttons(hand), [
      { button: 0, pressed: true, x: 200, y: 100 },
      { button: 0, pressed: false, x: 200, y: 100 },
    ]);
    ok(document.activeElement === hand.field, 'the surface has the keyboard');
  });

  it('takes the focus by a press beside the picture or before the first one, and sends nothing', () => {
    hand.field.blur();
    ok(
      mouse(hand.surface, 'mousedown', { clientX: 500, clientY: 20 }),
      'the browser does not move the focus',
    );
    ok(document.activeElement === hand.field, 'the surface has the keyboard');
    mouse(hand.surface, 'mouseup', { clientX: 500, clientY: 20 });
    equal(hand.sent, []);
  });

  it("sends each of the five buttons and prevents the browser's own action", () => {
    for (const button of [0, 1, 2, 3, 4]) {
      ok(mouse(hand.surface, 'mousedown', { button, clientX: 10, clientY: 10 }), 'mousedown is taken');
      ok(mouse(hand.surface, 'mouseup', { button, clientX: 10, clientY: 10 }), 'mouseup is taken');
    }
    equal(
      hand.of('button').map(({ button }) => button),
      [0, 0, 1, 1, 2, 2, 3, 3, 4, 4],
    );
    ok(mouse(hand.surface, 'contextmenu', { button: 2 }), 'no context menu opens');
  });

  it('collects moves per frame, and sends the newest before a button', async () => {
    mouse(hand.surface, 'mousemove', { clientX: 10, clientY: 10 });
    mouse(hand.surface, 'mousemove', { clientX: 20, clientY: 20 });
    equal(hand.sent.length, 0);
    mouse(hand.surface, 'mousedown', { clientX: 21, clientY: 20 });
    equal(
      hand.sent.map((event) => [event.type, 'x' in event ? event.x : 0]),
      [
        ['move', 40],
        ['button', 42],
      ],
    );
    mouse(hand.surface, 'mousemove', { clientX: 30, clientY: 20, buttons: 1 });
    await frame();
    equal(hand.of('move').length, 2);
  });

  it('continues a drag outside the surface and ends it there', async () => {
    await sendMouse({ type: 'move', position: [50, 50] });
    await sendMouse({ type: 'down' });
    await sendMouse({ type: 'move', position: [600, 100] });
    await frame();
    await sendMouse({ type: 'up' });
    const last = hand.of('move').at(-1);
    equal([last?.x, last?.y], [799, 200]);
    equal(buttons(hand).at(-1), { button: 0, pressed: false, x: 799, y: 200 });
  });

  it('moves and ends a press also if the page around the surface stops these events', async () => {
    const around = new AbortController();
    for (const type of ['mouseup', 'mousemove'])
      document.body.addEventListener(type, (event) => event.stopPropagation(), { signal: around.signal });
    await sendMouse({ type: 'move', position: [50, 50] });
    await sendMouse({ type: 'down' });
    await sendMouse({ type: 'move', position: [60, 50] });
    await frame();
    await sendMouse({ type: 'up' });
    around.abort();
    equal(hand.of('move').at(-1)?.x, 120);
    equal(buttons(hand).at(-1), { button: 0, pressed: false, x: 120, y: 100 });
  });

  it('reports once that it has left the picture, and not before it was in it', async () => {
    const left = () => hand.of('relative').map(({ x, y }) => ({ x, y }));
    mouse(hand.surface, 'mouseleave', {});
    mouse(hand.surface, 'mousemove', { clientX: 10, clientY: 10 });
    await frame();
    equal(left(), []);
    mouse(hand.surface, 'mousemove', { clientX: 20, clientY: 10 });
    mouse(hand.surface, 'mouseleave', {});
    mouse(hand.surface, 'mouseleave', {});
    await frame();
    equal(left(), [{ x: 0, y: 0 }]);
    equal(hand.of('move').length, 1);
    // The pointer is back at the same position, and then beside the picture.
    mouse(hand.surface, 'mousemove', { clientX: 10, clientY: 10 });
    await frame();
    equal(hand.of('move').length, 2);
    mouse(hand.surface, 'mousemove', { clientX: 500, clientY: 10 });
    equal(left().length, 2);
  });

  it('does not leave the picture during a drag', async () => {
    mouse(hand.surface, 'mousedown', { clientX: 10, clientY: 10, buttons: 1 });
    mouse(hand.surface, 'mouseleave', { buttons: 1 });
    equal(hand.of('relative'), []);
    mouse(window, 'mouseup', { clientX: 10, clientY: 10 });
  });

  it('releases a button whose release was missed', async () => {
    mouse(hand.surface, 'mousedown', { button: 0, buttons: 1, clientX: 10, clientY: 10 });
    mouse(hand.surface, 'mousemove', { buttons: 0, clientX: 12, clientY: 10 });
    await frame();
    equal(
      hand.of('button').map(({ pressed }) => pressed),
      [true, false],
    );
  });

  it('sends nothing if the embedding page stops mouse events in the capture phase', () => {
    const mute = (event: Event) => event.stopPropagation();
    const container = hand.surface.parentElement!;
    for (const type of ['mousedown', 'mousemove', 'mouseup']) container.addEventListener(type, mute, true);
    for (const type of ['mousedown', 'mousemove', 'mouseup'])
      mouse(hand.surface, type, { clientX: 5, clientY: 5 });
    equal(hand.sent, []);
  });

  it('releases everything once when the window loses the focus', () => {
    mouse(hand.surface, 'mousedown', { clientX: 10, clientY: 10 });
    window.dispatchEvent(new Event('blur'));
    window.dispatchEvent(new Event('pagehide'));
    mouse(window, 'mouseup', { clientX: 10, clientY: 10 });
    equal(
      hand.sent.map(({ type }) => type),
      ['button', 'release'],
    );
  });

  it('sends nothing after it was closed', () => {
    hand.close();
    mouse(hand.surface, 'mousedown', { clientX: 10, clientY: 10 });
    equal(hand.sent, []);
    ok(!hand.field.isConnected, 'the text field is gone');
  });

  it('sends Control+click on a Mac as a right click', () => {
    const mac = bench('mac');
    mouse(mac.surface, 'mousedown', { button: 0, ctrlKey: true, clientX: 10, clientY: 10 });
    mouse(mac.surface, 'mouseup', { button: 0, ctrlKey: true, clientX: 10, clientY: 10 });
    equal(
      mac.of('button').map(({ button, modifiers }) => [button, modifiers]),
      [
        [2, 0],
        [2, 0],
      ],
    );
    mac.close();
  });
});
