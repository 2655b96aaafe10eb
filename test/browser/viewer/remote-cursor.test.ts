import { RemoteCursor } from '../../../src/viewer/remote-cursor.js';
import type { Cursor } from '../../../src/protocol/index.js';
import { equal, ok, rejected } from '../support/assert.js';

const BYTES = [137, 80, 78, 71, 13, 10, 26, 10];

/** A pointer whose picture has this last byte. */
function shape(last: number, fields: Partial<Cursor> = {}): Cursor {
  const url = `data:image/png;base64,${btoa(String.fromCharCode(...BYTES, last))}`;
  return { type: 'cursor', shape: 'image', url, width: 24, height: 24, ...fields };
}

const addressIn = (style: string) => /^url\("(.*)"\)/.exec(style)?.[1] ?? '';

describe('the remote pointer as a CSS cursor', () => {
  let cursor: RemoteCursor;
  beforeEach(() => new Promise<void>((resolve) => (cursor = new RemoteCursor(resolve))));
  afterEach(() => cursor.close());

  it('is its picture with the hot spot, by an address that the tightest policies allow', async () => {
    const style = cursor.css(shape(1, { hotX: 4, hotY: 7 }));
    ok(/^url\("blob:[^"]+"\) 4 7, default$/.test(style), style);
    const picture = await (await fetch(addressIn(style))).blob();
    equal(picture.type, 'image/png');
    equal([...new Uint8Array(await picture.arrayBuffer())], [...BYTES, 1]);
  });

  it('is hidden when the remote side hides it', () => {
    equal(cursor.css({ type: 'cursor', shape: 'none' }), 'none');
  });

  it('keeps the hot spot within the picture', () => {
    ok(cursor.css(shape(1, { hotX: -1, hotY: 99 })).endsWith('") 0 23, default'));
  });

  it('is the arrow when the picture is larger than browsers take', () => {
    equal(cursor.css(shape(1, { width: 129 })), 'default');
  });

  it('takes nothing into the style but a PNG', () => {
    for (const url of [
      'https://example.com/x.png',
      `${shape(1).url ?? ''}"), url("https://example.com`,
      'data:image/svg+xml,<svg/>',
      'data:image/png;base64,x',
    ]) {
      equal(cursor.css(shape(1, { url })), 'default');
    }
  });

  it('has one address for a picture, and gives those of long ago back', async () => {
    const first = cursor.css(shape(0));
    equal(cursor.css(shape(0)), first);
    for (let last = 1; last < 32; last++) cursor.css(shape(last));
    equal(cursor.css(shape(0)), first);
    const second = cursor.css(shape(1));
    for (let last = 32; last < 64; last++) cursor.css(shape(last));
    await rejected(fetch(addressIn(first)));
    await rejected(fetch(addressIn(second)));
    const newest = cursor.css(shape(63));
    cursor.close();
    await rejected(fetch(addressIn(newest)));
  });

  it('comes otherwise, or is the arrow, where a policy keeps its pictures away', async () => {
    const byData = await new Promise<RemoteCursor>((resolve) => {
      const made = new RemoteCursor(
        () => resolve(made),
        async () => 'data',
      );
    });
    equal(byData.css(shape(1)), `url("${shape(1).url ?? ''}") 0 0, default`);
    const never = new RemoteCursor(
      () => {
        throw new Error('There is nothing to ask for again.');
      },
      async () => undefined,
    );
    await Promise.resolve();
    equal(never.css(shape(1)), 'default');
    equal(never.css({ type: 'cursor', shape: 'none' }), 'none');
  });

  it('is the arrow until it is known what the policy allows, and after its end', () => {
    const made = new RemoteCursor(
      () => undefined,
      () => new Promise(() => undefined),
    );
    equal(made.css(shape(1)), 'default');
    cursor.close();
    equal(cursor.css(shape(1)), 'default');
  });
});
