import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reply } from 'x11';
import { WindowKeeper } from '../../../../server/src/host/display/windows/window-keeper.js';
import type { XConnection } from '../../../../server/src/host/display/x-client.js';

const [ROOT, MAIN, VIDEO, DIALOG] = [1, 11, 12, 13];
const NAMES = ['_NET_WM_STATE', '_NET_WM_STATE_ABOVE', '_NET_CLIENT_LIST_STACKING', '_NET_MOVERESIZE_WINDOW'];
const [STATE, ABOVE, STACKING, MOVERESIZE] = [100, 101, 102, 103];
/** Predefined atoms of properties, and the type of a window's id. */
const [WINDOW, HINTS, CLASS, OWNER] = [33, 40, 67, 68];

const numbers = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);

/** Keeps windows of a display with a main window, a dialog, and a video in picture-in-picture. */
async function keeper() {
  const properties = new Map<string, Buffer>([
    [`${ROOT} ${STACKING}`, numbers(VIDEO, MAIN, DIALOG)],
    [`${MAIN} ${CLASS}`, Buffer.from('chromium')],
    [`${VIDEO} ${STATE}`, numbers(ABOVE)],
    [`${VIDEO} ${HINTS}`, numbers(4, 981, 545)],
    [`${DIALOG} ${CLASS}`, Buffer.from('chromium')],
    [`${DIALOG} ${STATE}`, numbers(ABOVE)],
    [`${DIALOG} ${HINTS}`, numbers(4, 1, 2)],
    [`${DIALOG} ${OWNER}`, numbers(MAIN)],
  ]);
  const changes: unknown[] = [];
  const x = {
    InternAtom: (_: boolean, name: string, reply: Reply<number>) => {
      const place = NAMES.indexOf(name);
      reply(null, place < 0 ? 200 : STATE + place);
    },
    GetProperty: (...args: unknown[]) => {
      const data = properties.get(`${String(args[1])} ${String(args[2])}`) ?? Buffer.alloc(0);
      (args.at(-1) as Reply<object>)(null, { data });
    },
    ChangeProperty: (_: number, window: number, property: number, type: number, __: number, data: Buffer) => {
      properties.set(`${window} ${property}`, data);
      changes.push([window, property, type, data.readUInt32LE()]);
    },
    SendClientMessage: (_: number, window: number, message: number, __: number, data: number[]) => {
      changes.push([window, message, ...data.slice(1, 3)]);
    },
  };
  const connection = { x, root: ROOT } as unknown as XConnection;
  return { changes, keeper: await WindowKeeper.open(connection, true) };
}

test('a video in picture-in-picture is shown above the main window, where Chromium requested', async () => {
  const { changes, keeper: windows } = await keeper();
  await windows.keep(VIDEO);
  assert.deepEqual(changes, [
    [VIDEO, OWNER, WINDOW, MAIN],
    [VIDEO, MOVERESIZE, 981, 545],
  ]);
  await windows.keep(VIDEO);
  assert.equal(changes.length, 2);
});

test('a dialog keeps its window and its place', async () => {
  const { changes, keeper: windows } = await keeper();
  await windows.keep(DIALOG);
  assert.deepEqual(changes, []);
});
