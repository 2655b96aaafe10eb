import { cssCursor } from '../../../src/viewer/remote-cursor.js';
import { equal } from '../support/assert.js';

const url = 'data:image/png;base64,iVBORw0KGgo=';

describe('the remote pointer as a CSS cursor', () => {
  it('is its picture with the hot spot', () => {
    const cursor = cssCursor({
      type: 'cursor',
      shape: 'image',
      url,
      width: 24,
      height: 24,
      hotX: 4,
      hotY: 7,
    });
    equal(cursor, `url("${url}") 4 7, default`);
  });

  it('is hidden when the remote side hides it', () => {
    equal(cssCursor({ type: 'cursor', shape: 'none' }), 'none');
  });

  it('keeps the hot spot within the picture', () => {
    const cursor = cssCursor({
      type: 'cursor',
      shape: 'image',
      url,
      width: 24,
      height: 24,
      hotX: -1,
      hotY: 99,
    });
    equal(cursor, `url("${url}") 0 23, default`);
  });

  it('is the arrow when the picture is larger than browsers take', () => {
    equal(cssCursor({ type: 'cursor', shape: 'image', url, width: 129, height: 24 }), 'default');
  });

  it('takes nothing into the style but a PNG', () => {
    for (const bad of [
      'https://example.com/x.png',
      `${url}"), url("https://example.com`,
      'data:image/svg+xml,<svg/>',
    ]) {
      equal(cssCursor({ type: 'cursor', shape: 'image', url: bad, width: 9, height: 9 }), 'default');
    }
  });
});
