import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { CursorImage, Reply } from 'x11';
import type { Cursor } from 'cloud-browser/protocol';
import { CursorWatch } from '../../../../server/src/host/display/cursor-watch.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

/** The constructor is private, because the parts come from a running X server. */
const FakedCursorWatch = CursorWatch as unknown as new (...parts: unknown[]) => CursorWatch;

const SIDE = 64;

/** A pointer with random pixels, which cannot be compressed. */
function noise(): CursorImage {
  const hotspot = { xhot: 0, yhot: 0 };
  return { width: SIDE, height: SIDE, ...hotspot, cursorImage: randomBytes(SIDE * SIDE * 4) };
}

test('a large pointer that always changes is sent at a limited rate, and its last shape is sent', async () => {
  const [clock, x, sent] = [new ManualClock(), new EventEmitter(), [] as Cursor[]];
  let image = noise();
  const fixes = {
    CursorNotifyMask: { DisplayCursor: 1 },
    SelectCursorInput: () => undefined,
    GetCursorImage: (reply: Reply<CursorImage>) => {
      reply(null, image);
    },
  };
  const onChange = (cursor: Cursor) => void sent.push(cursor);
  const watch = new FakedCursorWatch({ x, root: 1, close: () => undefined }, fixes, onChange, clock);
  const change = async () => {
    image = noise();
    x.emit('event', { name: 'CursorNotify' });
    clock.advance(15);
    await turn();
  };
  clock.advance(15);
  await turn();
  assert.equal(sent.length, 1);
  for (let count = 0; count < 66; count++) await change();
  const chars = sent.reduce((sum, { url }) => sum + (url?.length ?? 0), 0);
  assert.ok(chars < 128 * 1024, `${chars} characters in one second`);
  clock.advance(1_000);
  await turn();
  clock.advance(1_000);
  await turn();
  const before = sent.length;
  image = { ...noise(), cursorImage: Buffer.alloc(SIDE * SIDE * 4) };
  x.emit('event', { name: 'CursorNotify' });
  clock.advance(1_000);
  await turn();
  assert.deepEqual(sent.slice(before), [{ type: 'cursor', shape: 'none' }]);
  watch.close();
});
