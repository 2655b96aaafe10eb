import { RemoteCursor } from '../../../src/viewer/picture/remote-cursor.js';
import { mayForbidPictures } from '../../../src/viewer/picture/picture-policy.js';
import type { Cursor } from '../../../src/protocol/index.js';
import { equal, ok } from '../support/assert.js';

/** A picture of one colour that fills it. */
function shape(size: number, colour: string, fields: Partial<Cursor> = {}): Cursor {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: size, height: size });
  const context = canvas.getContext('2d');
  ok(context);
  context.fillStyle = colour;
  context.fillRect(0, 0, size, size);
  const url = canvas.toDataURL();
  return { type: 'cursor', shape: 'image', url, width: size, height: size, ...fields };
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

describe('the drawn remote pointer', () => {
  let container: HTMLElement;
  let cursor: RemoteCursor;
  beforeEach(() => {
    container = document.createElement('div');
    container.style.cssText =
      'position: absolute; left: 40px; top: 30px; width: 200px; height: 100px; transform: rotate(90deg)';
    document.body.append(container);
    cursor = new RemoteCursor(container, true);
  });
  afterEach(() => {
    cursor.close();
    container.remove();
  });

  const canvas = () => container.querySelector('canvas');
  const send = (type: string, clientX: number, clientY: number, pointerType = 'mouse') =>
    container.dispatchEvent(new PointerEvent(type, { clientX, clientY, pointerType, bubbles: true }));
  const place = () => {
    const { left, top, width, height } = canvas()!.getBoundingClientRect();
    return [left, top, width, height];
  };
  const drawn = async () => {
    while (container.style.cursor !== 'none') await nextFrame();
  };

  it('has its hot spot at the mouse, and is not transformed with the container', async () => {
    send('pointermove', 100, 60);
    const style = cursor.show(shape(24, 'red', { hotX: 4, hotY: 7 }));
    ok(style.startsWith('url("blob:'), style);
    await drawn();
    equal(place(), [96, 53, 24, 24]);
    send('pointermove', 120, 61);
    equal(place(), [116, 54, 24, 24]);
    ok(document.elementFromPoint(125, 65) !== canvas());
  });

  it('has the right size and hot spot for a screen with a pixel ratio of 2', async () => {
    send('pointermove', 100, 60);
    cursor.show(shape(48, 'red', { hotX: 10, hotY: 14 }), 2);
    await drawn();
    equal(place(), [95, 53, 24, 24]);
  });

  it('is at the mouse and keeps its size on a page with CSS zoom', async () => {
    document.body.style.zoom = '1.5';
    try {
      send('pointermove', 200, 160);
      cursor.show(shape(24, 'red', { hotX: 4, hotY: 8 }));
      await drawn();
      equal(place(), [196, 152, 24, 24]);
      document.body.style.zoom = '0.5';
      send('pointermove', 100, 60);
      equal(place(), [96, 52, 24, 24]);
    } finally {
      document.body.style.zoom = '';
    }
  });

  it('is visible only after a move and while the mouse is over the container', async () => {
    cursor.show(shape(24, 'red'));
    equal(container.style.cursor, 'default');
    send('pointermove', 1, 1, 'touch');
    await nextFrame();
    equal(container.style.cursor, 'default');
    send('pointerenter', 100, 60);
    await drawn();
    send('pointerleave', 400, 60);
    equal([container.style.cursor, canvas()?.style.display], ['default', 'none']);
  });

  it('has the newest shape even if an older one is decoded later', async () => {
    send('pointermove', 100, 60);
    cursor.show(shape(128, 'red'));
    cursor.show(shape(16, 'blue'));
    await drawn();
    equal(place().slice(2), [16, 16]);
    cursor.show(shape(128, 'green'));
    cursor.show({ type: 'cursor', shape: 'none' });
    equal([container.style.cursor, canvas()?.style.display], ['none', 'none']);
    await createImageBitmap(await (await fetch(shape(128, 'green').url ?? '')).blob());
    equal(canvas()?.style.display, 'none');
    cursor.show(undefined);
    equal(container.style.cursor, '');
  });

  it('is the arrow if the picture cannot be read', async () => {
    send('pointermove', 100, 60);
    cursor.show(shape(16, 'blue'));
    await drawn();
    cursor.show({ ...shape(16, 'blue'), url: `data:image/png;base64,${btoa('abc')}` });
    while (container.style.cursor !== 'default') await nextFrame();
    equal(canvas()?.style.display, 'none');
  });

  it('returns to the top layer after the container was moved in the document', () => {
    send('pointermove', 100, 60);
    ok(canvas()?.matches(':popover-open'));
    document.body.append(container);
    send('pointermove', 101, 60);
    ok(canvas()?.matches(':popover-open'));
  });

  it('moves above an element that becomes full screen under the mouse', () => {
    send('pointermove', 100, 60);
    const toggles: string[] = [];
    canvas()?.addEventListener('beforetoggle', (event) => toggles.push(event.newState));
    document.dispatchEvent(new Event('fullscreenchange'));
    equal(toggles, ['closed', 'open']);
    send('pointerleave', 400, 60);
    document.dispatchEvent(new Event('fullscreenchange'));
    equal(toggles.length, 2);
  });

  it('leaves nothing behind after it was closed', async () => {
    cursor.show(shape(16, 'blue'));
    cursor.close();
    equal([canvas(), container.style.cursor], [null, '']);
    send('pointermove', 100, 60);
    await nextFrame();
    equal(container.style.cursor, '');
  });
});

describe('a page that may forbid pictures', () => {
  const added: HTMLMetaElement[] = [];
  const add = (attributes: Record<string, string>) => {
    const meta = document.createElement('meta');
    for (const [name, value] of Object.entries(attributes)) meta.setAttribute(name, value);
    document.head.append(meta);
    added.push(meta);
  };
  afterEach(() => added.splice(0).forEach((meta) => meta.remove()));

  it('is one with a policy in its markup that does not say it allows images', () => {
    equal(mayForbidPictures(), false);
    add({ 'http-equiv': 'content-security-policy', content: 'frame-src *' });
    equal(mayForbidPictures(), true);
    add({ name: 'cloud-browser-images', content: 'blob:' });
    equal(mayForbidPictures(), false);
  });
});
