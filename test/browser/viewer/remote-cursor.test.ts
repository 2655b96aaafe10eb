import { RemoteCursor } from '../../../src/viewer/picture/remote-cursor.js';
import type { Cursor } from '../../../src/protocol/index.js';
import { equal, ok, rejected } from '../support/assert.js';

const BYTES = [137, 80, 78, 71, 13, 10, 26, 10];

/** A pointer whose picture ends with this byte. */
function shape(last: number, fields: Partial<Cursor> = {}): Cursor {
  const url = `data:image/png;base64,${btoa(String.fromCharCode(...BYTES, last))}`;
  return { type: 'cursor', shape: 'image', url, width: 24, height: 24, ...fields };
}

const addressIn = (style: string) => /^url\("(.*)"\)/.exec(style)?.[1] ?? '';

describe('the remote pointer as a CSS cursor', () => {
  let cursor: RemoteCursor;
  let container: HTMLElement;
  beforeEach(() => {
    container = document.createElement('div');
    cursor = new RemoteCursor(container);
  });
  afterEach(() => cursor.close());

  it('is its picture with the hot spot, by an address that strict policies allow', async () => {
    const style = cursor.show(shape(1, { hotX: 4, hotY: 7 }));
    ok(/^url\("blob:[^"]+"\) 4 7, default$/.test(style), style);
    const picture = await (await fetch(addressIn(style))).blob();
    equal(picture.type, 'image/png');
    equal([...new Uint8Array(await picture.arrayBuffer())], [...BYTES, 1]);
  });

  it('is hidden when the remote pointer is hidden', () => {
    equal(cursor.show({ type: 'cursor', shape: 'none' }), 'none');
  });

  it('keeps the hot spot within the picture', () => {
    ok(cursor.show(shape(1, { hotX: -1, hotY: 99 })).endsWith('") 0 23, default'));
  });

  it('is the arrow if the picture is larger than browsers allow', () => {
    equal(cursor.show(shape(1, { width: 129 })), 'default');
  });

  it('accepts only PNG pictures', () => {
    for (const url of [
      'https://example.com/x.png',
      `${shape(1).url ?? ''}"), url("https://example.com`,
      'data:image/svg+xml,<svg/>',
      'data:image/png;base64,x',
    ]) {
      equal(cursor.show(shape(1, { url })), 'default');
    }
  });

  it('reuses the address of a picture, and revokes old ones', async () => {
    const first = cursor.show(shape(0));
    equal(cursor.show(shape(0)), first);
    for (let last = 1; last < 32; last++) cursor.show(shape(last));
    equal(cursor.show(shape(0)), first);
    const second = cursor.show(shape(1));
    for (let last = 32; last < 64; last++) cursor.show(shape(last));
    await rejected(fetch(addressIn(first)));
    await rejected(fetch(addressIn(second)));
    const newest = cursor.show(shape(63));
    cursor.close();
    await rejected(fetch(addressIn(newest)));
  });

  it('is set on the container until it is closed', () => {
    const style = cursor.show(shape(1));
    equal(container.style.cursor, style);
    equal(cursor.show(undefined), '');
    equal(container.style.cursor, '');
    cursor.show(shape(1));
    cursor.close();
    equal(container.style.cursor, '');
  });
});
