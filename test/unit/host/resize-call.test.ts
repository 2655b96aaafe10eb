import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Role } from 'cloud-browser/protocol';
import { CallError } from '../../../server/src/host/room/calls/call-error.js';
import { Calls } from '../../../server/src/host/room/calls/calls.js';
import { ResizeCall } from '../../../server/src/host/room/calls/resize-call.js';
import { firstRights } from '../../../server/src/host/room/users/rights.js';
import type { Viewer } from '../../../server/src/host/room/viewer.js';

let calls: Calls;
let screen: { width: number; height: number; maxArea: number };
/** Changes under way; each ends when the test says so. */
let changes: { size: string; end: () => void }[];
beforeEach(() => {
  calls = new Calls(() => false);
  screen = { width: 1280, height: 720, maxArea: 1920 * 1080 };
  changes = [];
  new ResizeCall(calls, screen, async (size) => {
    await new Promise<void>((end) => changes.push({ size: `${size.width}x${size.height}`, end }));
    Object.assign(screen, size);
  });
});

const resize = (...args: unknown[]) => calls.perform('resize', args, { viewer: undefined, admin: true });
const sizes = () => changes.map(({ size }) => size);

describe('resize', () => {
  for (const args of [
    [255, 720],
    [1280, 3841],
    [1280.5, 720],
    ['1280', 720],
    [Number.NaN, 720],
    [1921, 1080],
    [1280],
    [],
  ]) {
    it(`refuses ${JSON.stringify(args)} and says what is possible`, async () => {
      await assert.rejects(async () => resize(...args), {
        code: 'err_invalid_parameter',
        message: /from 256 to 3840, and width × height at most 2073600/,
      });
      assert.deepEqual(sizes(), []);
    });
  }

  it('takes the smallest and the largest sides', async () => {
    const done = resize(3840, 540);
    await turn();
    changes[0]?.end();
    await done;
    const other = resize(256, 3840);
    await turn();
    changes[1]?.end();
    await other;
    assert.deepEqual(sizes(), ['3840x540', '256x3840']);
  });

  it('needs the role resize or the admin token', async () => {
    const viewer = (...roles: Role[]) =>
      ({ rights: firstRights({ controlDisabled: false, roles, tiedRoles: [] }, {}) }) as unknown as Viewer;
    const call = (who: Viewer) => calls.perform('resize', [800, 600], { viewer: who, admin: false });
    await assert.rejects(call(viewer('control')), CallError);
    const allowed = call(viewer('resize'));
    await turn();
    changes[0]?.end();
    await allowed;
  });

  it('changes nothing when the screen has that size', async () => {
    await resize(1280, 720);
    assert.deepEqual(sizes(), []);
  });

  it('does one change at a time, and leaves out what nobody wants any more', async () => {
    const settled: string[] = [];
    const ask = (name: string, width: number) => resize(width, 600).then(() => settled.push(name));
    const all = [ask('first', 800)];
    await turn();
    all.push(ask('second', 900), ask('third', 1000));
    await turn();
    assert.deepEqual([sizes(), settled], [['800x600'], []]);
    changes[0]?.end();
    await turn();
    assert.deepEqual([sizes(), settled], [['800x600', '1000x600'], ['first']]);
    changes[1]?.end();
    await Promise.all(all);
    assert.deepEqual(settled, ['first', 'second', 'third']);
  });

  it('goes on after a change that failed', async () => {
    const failing = new Calls(() => false);
    let attempts = 0;
    new ResizeCall(failing, screen, async () => {
      if (++attempts === 1) throw new Error('no');
    });
    const ask = () => failing.perform('resize', [800, 600], { viewer: undefined, admin: true });
    await assert.rejects(ask(), /no/);
    await ask();
    assert.equal(attempts, 2);
  });
});
