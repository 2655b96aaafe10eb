import assert from 'node:assert/strict';
import { test } from 'node:test';
import { union } from '../../../../server/src/host/capture/frame-source.js';
import { cursorOf } from '../../../../server/src/host/display/cursor-watch.js';
import { codecStringOf } from '../../../../server/src/host/encode/h264-encoder.js';
import { KEYCODE_OF } from '../../../../server/src/host/input/keyboard/key-codes.js';
import { keysymOf } from '../../../../server/src/host/input/keyboard/keysyms.js';
import { TaskQueue } from '../../../../server/src/host/input/task-queue.js';

test('a union contains both rectangles, and an empty one adds nothing', () => {
  const a = { x: 2, y: 3, width: 4, height: 5 };
  assert.equal(union(undefined, undefined), undefined);
  assert.deepEqual(union(a, undefined), a);
  assert.deepEqual(union(a, { x: 0, y: 7, width: 1, height: 9 }), { x: 0, y: 3, width: 6, height: 13 });
});

test('the codec string is read from the stream itself', () => {
  const units = Uint8Array.from([0, 0, 0, 1, 0x09, 0xf0, 0, 0, 1, 0x67, 0x42, 0xc0, 0x28, 0xda, 0x01]);
  assert.equal(codecStringOf(units), 'avc1.42c028');
  assert.equal(codecStringOf(Uint8Array.from([0, 0, 1, 0x41, 1, 2, 3, 4])), undefined);
});

test('a pointer without a visible pixel counts as hidden', () => {
  const image = { width: 2, height: 1, xhot: 1, yhot: 0 };
  assert.deepEqual(cursorOf({ ...image, cursorImage: Buffer.alloc(8) }), { type: 'cursor', shape: 'none' });
  const shown = cursorOf({ ...image, cursorImage: Buffer.from([0, 0, 128, 128, 0, 0, 0, 0]) });
  assert.equal(shown.shape, 'image');
  assert.equal(shown.hotX, 1);
  assert.match(shown.url ?? '', /^data:image\/png;base64,/);
});

test('characters of every script have a keysym, and named keys have their own', () => {
  assert.equal(keysymOf('a'), 0x61);
  assert.equal(keysymOf('ß'), 0xdf);
  assert.equal(keysymOf('€'), 0x010020ac);
  assert.equal(keysymOf('🙂'), 0x0101f642);
  assert.equal(keysymOf('Enter'), 0xff0d);
  assert.equal(keysymOf('Enter', 'NumpadEnter'), 0xff8d);
  assert.equal(keysymOf('7', 'Numpad7'), 0xffb7);
  assert.equal(keysymOf('F12'), 0xffc9);
  for (const key of ['Dead', 'Process', 'Unidentified', 'ab', ''])
    assert.equal(keysymOf(key), undefined, key);
});

test('keycodes match evdev', () => {
  assert.equal(KEYCODE_OF.get('KeyA'), 38);
  assert.equal(KEYCODE_OF.get('Digit0'), 19);
  assert.equal(KEYCODE_OF.get('ArrowLeft'), 113);
  assert.equal(KEYCODE_OF.get('F10'), 76);
});

test('tasks run one after another, and a failed one does not stop the others', async () => {
  const seen: string[] = [];
  const queue = new TaskQueue((error) => seen.push(String(error)));
  const done = new Promise<void>((resolve) => {
    const lane = queue.lane();
    lane.push(async () => {
      await Promise.resolve();
      seen.push('first');
    });
    lane.push(() => Promise.reject(new Error('second')));
    lane.push(() => {
      seen.push('third');
      resolve();
    });
  });
  await done;
  assert.deepEqual(seen, ['first', 'Error: second', 'third']);
});
