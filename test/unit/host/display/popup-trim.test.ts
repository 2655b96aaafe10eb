import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cutsOff, visibleParts } from '../../../../server/src/host/display/windows/popup-trim.js';

/** A picture of shadow (dots) and letters. */
function picture(...rows: string[]) {
  const width = rows[0]?.length ?? 0;
  const data = Buffer.alloc(width * rows.length * 4);
  [...rows.join('')].forEach((letter, index) =>
    data.writeUInt32LE(letter === '.' ? (index % 2) * 0x0c0d0e : 0x1f1f1f, index * 4),
  );
  return { data, width, height: rows.length };
}

describe('the visible area of a popup', () => {
  it('excludes its black frame, and includes corners and arrow', () => {
    assert.deepEqual(
      visibleParts(picture('......', '..x...', '.xxxx.', 'xxxxxx', 'xxxxxx', '.xxxx.', '......')),
      [
        [2, 1, 1, 1],
        [1, 2, 4, 1],
        [0, 3, 6, 2],
        [1, 5, 4, 1],
      ],
    );
  });

  it('can have dark areas inside', () => {
    assert.deepEqual(visibleParts(picture('....', '.x.x')), [[1, 1, 3, 1]]);
  });

  it('is empty before it is painted', () => {
    assert.deepEqual(visibleParts(picture('....', '....')), []);
  });
});

describe('a popup', () => {
  const isTrimmed = (...rows: string[]) => {
    const image = picture(...rows);
    return cutsOff(visibleParts(image), image);
  };

  it('is trimmed if it has a frame', () => {
    assert.ok(isTrimmed('....', '.xx.', '....'));
    assert.ok(isTrimmed('xxxx', '.xx.'));
    assert.ok(isTrimmed('xxxx', '....'));
  });

  it('is read again if it has no frame yet', () => {
    assert.ok(!isTrimmed('....', '....'));
    assert.ok(!isTrimmed('xxxx', 'xxxx'));
  });
});
