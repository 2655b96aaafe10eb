import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Reply } from 'x11';
import { WindowFit } from '../../../../server/src/host/display/windows/window-fit.js';

/** The constructor is private, because the parts come from a running X server. */
const FakedWindowFit = WindowFit as unknown as new (...parts: unknown[]) => WindowFit;

const [ROOT, WINDOWS] = [1, 2];
const settle = async () => {
  for (let i = 0; i < 8; i++) await turn();
};

test('a new size of the screen is not prepared for windows that were closed', async () => {
  let open = [11, 12];
  const asked: number[] = [];
  const x = Object.assign(new EventEmitter(), {
    ChangeWindowAttributes: () => undefined,
    GetInputFocus: (reply: Reply<object>) => {
      reply(null, {});
    },
    GetProperty: (...args: unknown[]) => {
      asked.push(args[1] as number);
      (args.at(-1) as Reply<object>)(null, { data: Buffer.alloc(0) });
    },
  });
  const windows = { property: WINDOWS, list: () => Promise.resolve(open) };
  const keeper = { property: 3, keep: () => Promise.resolve(), isMain: () => Promise.resolve(false) };
  const fit = new FakedWindowFit({ x, root: ROOT }, { width: 800, height: 600 }, windows, keeper);
  await settle();
  open = [12, 13];
  x.emit('event', { name: 'PropertyNotify', wid: ROOT, atom: WINDOWS });
  await settle();
  assert.deepEqual(asked.splice(0), [11, 12, 13]);
  await fit.expect({ width: 1024, height: 768 });
  assert.deepEqual(asked, [12, 13]);
});
