import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { CursorImage, Reply } from 'x11';
import type { Cursor } from 'cloud-browser/protocol';
import { cursorOf, CursorWatch } from '../../../../server/src/host/display/cursor-watch.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

/** The constructor is private, because the parts come from a running X server. */
const FakedCursorWatch = CursorWatch as unknown as new (...parts: unknown[]) => CursorWatch;

const SIDE = 64;

/** A pointer with random pixels, which cannot be compressed. */
function noise(side = SIDE): CursorImage {
  const hotspot = { xhot: 0, yhot: 0 };
  return { width: side, height: side, ...hotspot, cursorImage: randomBytes(side * side * 4) };
}

/** A pointer that nobody can see. */
const invisible = (): CursorImage => ({ ...noise(), cursorImage: Buffer.alloc(SIDE * SIDE * 4) });

let clock: ManualClock;
let sent: Cursor[];
let watch: CursorWatch;
/** Changes the pointer and lets time pass. */
let change: (image: CursorImage, ms?: number) => Promise<void>;
beforeEach(async () => {
  clock = new ManualClock();
  sent = [];
  const x = new EventEmitter();
  let shown = noise();
  const fixes = {
    CursorNotifyMask: { DisplayCursor: 1 },
    SelectCursorInput: () => undefined,
    GetCursorImage: (reply: Reply<CursorImage>) => {
      reply(null, shown);
    },
  };
  const onChange = (cursor: Cursor) => void sent.push(cursor);
  watch = new FakedCursorWatch({ x, root: 1, close: () => undefined }, fixes, onChange, clock);
  change = async (image, ms = 15) => {
    shown = image;
    x.emit('event', { name: 'CursorNotify' });
    clock.advance(ms);
    await turn();
  };
  clock.advance(15);
  await turn();
  assert.equal(sent.length, 1);
});
afterEach(() => watch.close());

test('a large pointer that always changes is sent at a limited rate, and its last shape is sent', async () => {
  for (let count = 0; count < 66; count++) await change(noise());
  const chars = sent.reduce((sum, { url }) => sum + (url?.length ?? 0), 0);
  assert.ok(chars < 500_000, `${chars} characters in one second`);
  const last = noise();
  await change(last, 1_000);
  assert.deepEqual(sent.at(-1), cursorOf(last));
  const before = sent.length;
  await change(invisible());
  assert.deepEqual(sent.slice(before), [{ type: 'cursor', shape: 'none' }]);
});

test('one large pointer does not delay the next shape', async () => {
  await change(noise(4 * SIDE));
  await change(invisible());
  assert.deepEqual(
    sent.map(({ shape }) => shape),
    ['image', 'image', 'none'],
  );
});

test('a large pointer that waits does not delay a small or an invisible one', async () => {
  for (let count = 0; count < 66; count++) await change(noise(2 * SIDE), 4);
  const small = noise(SIDE / 4);
  await change(small);
  assert.deepEqual(sent.at(-1), cursorOf(small));
  await change(noise(2 * SIDE));
  await change(invisible());
  assert.deepEqual(sent.at(-1), { type: 'cursor', shape: 'none' });
});

test('viewers keep the shape that the pointer had in the page when it leaves the picture', async () => {
  await change({ width: 3, height: 1, xhot: 0, yhot: 0, cursorImage: Buffer.alloc(12) });
  assert.equal(sent.length, 1);
  // A page may have a visible pointer of the same size.
  await change({ width: 3, height: 1, xhot: 0, yhot: 0, cursorImage: Buffer.alloc(12, 0xff) });
  assert.equal(sent.at(-1)?.width, 3);
});
