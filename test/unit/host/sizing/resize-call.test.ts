import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Role } from 'cloud-browser/protocol';
import { CallError } from '../../../../server/src/host/room/calls/call-error.js';
import { Calls } from '../../../../server/src/host/room/calls/calls.js';
import { addSizeCalls } from '../../../../server/src/host/features/sizing/size-calls.js';
import { ViewportSizes } from '../../../../server/src/host/features/sizing/viewport-sizes.js';
import { SizeChanges } from '../../../../server/src/host/features/sizing/size-changes.js';
import { pixelsOf, type ScreenShape } from '../../../../server/src/platform/screen-size.js';
import { firstRights } from '../../../../server/src/host/room/users/rights.js';
import type { Viewer } from '../../../../server/src/host/room/viewers/viewer.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

let calls: Calls;
let sizes: SizeChanges;
let clock: ManualClock;
let screen: ScreenShape & { maxArea: number; followsRatio: boolean };
/** Current changes. The test ends each of them. */
let changes: { size: string; end: () => void }[];
beforeEach(() => {
  calls = new Calls(() => false);
  screen = { width: 1280, height: 720, pixelRatio: 1, followsRatio: false, maxArea: 1920 * 1080 };
  changes = [];
  clock = new ManualClock();
  const apply = async (shape: ScreenShape) => {
    const { width, height } = pixelsOf(shape);
    await new Promise<void>((end) => changes.push({ size: `${width}x${height}`, end }));
    Object.assign(screen, shape);
  };
  sizes = new SizeChanges(screen, apply, clock);
  addSizeCalls(calls, sizes, new ViewportSizes(sizes, () => true));
});

const resize = (...args: unknown[]) => calls.perform('resize', args, { viewer: undefined, admin: true });
/** Advances past the pause before the next change. */
const rest = async () => {
  await turn();
  clock.advance(15_000);
  await turn();
};
const made = () => changes.map(({ size }) => size);

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
    it(`refuses ${JSON.stringify(args)} with the allowed values`, async () => {
      await assert.rejects(async () => resize(...args), {
        code: 'err_invalid_parameter',
        message: /from 256 to 3840, and width × height at most 2073600/,
      });
      assert.deepEqual(made(), []);
    });
  }

  it('accepts the smallest and the largest sides', async () => {
    const done = resize(3840, 540);
    await turn();
    changes[0]?.end();
    await done;
    const other = resize(256, 3840);
    await rest();
    changes[1]?.end();
    await other;
    assert.deepEqual(made(), ['3840x540', '256x3840']);
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

  it('does nothing when the screen already has the size', async () => {
    await resize(1280, 720);
    assert.deepEqual(made(), []);
  });

  it('runs one change at a time, and skips outdated ones', async () => {
    const settled: string[] = [];
    const ask = (name: string, width: number) => resize(width, 600).then(() => settled.push(name));
    const all = [ask('first', 800)];
    await turn();
    all.push(ask('second', 900), ask('third', 1000));
    await turn();
    assert.deepEqual([made(), settled], [['800x600'], []]);
    changes[0]?.end();
    await rest();
    assert.deepEqual([made(), settled], [['800x600', '1000x600'], ['first']]);
    changes[1]?.end();
    await Promise.all(all);
    assert.deepEqual(settled, ['first', 'second', 'third']);
  });

  it('continues after a failed change', async () => {
    const failing = new Calls(() => false);
    let attempts = 0;
    const apply = () => (++attempts === 1 ? Promise.reject(new Error('no')) : Promise.resolve());
    const changing = new SizeChanges(screen, apply, clock);
    addSizeCalls(failing, changing, new ViewportSizes(changing, () => true));
    const ask = () => failing.perform('resize', [800, 600], { viewer: undefined, admin: true });
    await assert.rejects(ask(), /no/);
    const again = ask();
    await rest();
    await again;
    assert.equal(attempts, 2);
  });

  it('uses CSS pixels, and limits the physical pixels of the screen', async () => {
    Object.assign(screen, { width: 640, height: 360, pixelRatio: 2 });
    await assert.rejects(async () => resize(961, 540), {
      message: /from 256 to 1920, and width × height at most 518400/,
    });
    const done = resize(960, 540);
    await turn();
    changes[0]?.end();
    await done;
    assert.deepEqual(made(), ['1920x1080']);
  });
});

describe('the pixel ratio in auto mode', () => {
  const follow = async (...ratios: number[]) => {
    const all = ratios.map((ratio) => sizes.follow(ratio));
    await turn();
    for (const { end } of changes) end();
    await Promise.all(all);
  };

  it('is that of the first viewer who sends one, if the screen has room', async () => {
    Object.assign(screen, { width: 640, height: 360, followsRatio: true });
    await follow(2, 3);
    assert.deepEqual([made(), screen.pixelRatio], [['1280x720'], 2]);
  });

  it('is reduced for a larger screen, and returns for a smaller one', async () => {
    Object.assign(screen, { width: 390, height: 844, followsRatio: true });
    await follow(3);
    assert.deepEqual([made(), screen.pixelRatio], [['975x2110'], 2.5]);
    for (const [width, height] of [
      [1920, 1080],
      [300, 400],
    ] as const) {
      const done = resize(width, height);
      await rest();
      changes.at(-1)?.end();
      await done;
    }
    assert.deepEqual([made().slice(1), screen.pixelRatio], [['1920x1080', '900x1200'], 3]);
  });

  it('does not change in a session with a fixed ratio', async () => {
    await follow(2);
    assert.deepEqual([made(), screen.pixelRatio], [[], 1]);
  });
});
