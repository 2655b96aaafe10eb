import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ScreenCamera } from '../../../../server/src/host/capture/screen-camera.js';
import { screenshotOf } from '../../../../server/src/host/features/computer/computer-arguments.js';
import {
  Screenshots,
  type ScreenshotSource,
} from '../../../../server/src/host/features/computer/screenshots.js';
import type { Rect } from '../../../../server/src/host/capture/frame-source.js';
import { CallError } from '../../../../server/src/host/room/calls/call-error.js';
import { decodeStill } from '../../../support/decode-still.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { setImmediate as settled } from 'node:timers/promises';

const MANY = 1_000_000;
const mayStillSee = (): void => undefined;

let clock: ManualClock;
let size: { width: number; height: number };
let masked: Rect[] | 'unknown';
let opened: number;
let closed: number;
let onRead: () => unknown;
let source: ScreenshotSource;
let screenshots: Screenshots;

beforeEach(() => {
  clock = new ManualClock();
  size = { width: 64, height: 32 };
  masked = [];
  [opened, closed] = [0, 0];
  onRead = () => undefined;
  source = {
    size: () => size,
    maskedAreas: () => Promise.resolve(masked),
    openCamera: () => {
      opened += 1;
      const own = size;
      return Promise.resolve({
        size: own,
        whenStill: () => Promise.resolve(true),
        read: async () => {
          await onRead();
          return Buffer.alloc(own.width * own.height * 4, 0xff);
        },
        drawPointer: () => Promise.resolve(),
        close: () => void (closed += 1),
      });
    },
  };
  screenshots = new Screenshots(clock);
  screenshots.use(source);
});

const [always, never] = [() => true, () => false];
const take = (options = {}, seesMasked = never, maxBytes = MANY, check = mayStillSee) =>
  screenshots.take({
    options: screenshotOf(options),
    ...{ caller: undefined, seesMasked, mayStillSee: check, maxBytes },
  });

const refused = (shot: Promise<unknown>, code: string) => assert.rejects(shot, { code });
const [BLACK, WHITE] = [
  [0, 0, 0],
  [255, 255, 255],
];

async function pixel(shot: Awaited<ReturnType<typeof take>>, x: number, y: number): Promise<number[]> {
  return (await decodeStill(Buffer.from(shot.data, 'base64'), shot.format)).at(x, y);
}

describe('screenshots', () => {
  it('show the whole screen, or a region of it, scaled', async () => {
    const whole = await take();
    assert.deepEqual([whole.width, whole.height, whole.stable], [64, 32, true]);
    const part = await take({ region: { x: 32, y: 0, width: 100, height: 16 }, scale: 0.5 });
    assert.deepEqual(part.region, { x: 32, y: 0, width: 32, height: 16 });
    assert.deepEqual([part.width, part.height], [16, 8]);
    await refused(take({ region: { x: 64, y: 0, width: 1, height: 1 } }), 'err_invalid_parameter');
  });

  it('have black areas where masked fields are, except for callers who may see them', async () => {
    masked = [{ x: 10.5, y: 4, width: 5, height: 5 }];
    const shot = await take();
    assert.deepEqual(await pixel(shot, 10, 4), BLACK);
    assert.deepEqual(await pixel(shot, 15, 8), BLACK);
    assert.deepEqual(await pixel(shot, 16, 9), WHITE);
    assert.deepEqual(await pixel(await take({}, always), 10, 4), WHITE);
  });

  it('are black where a masked field was before the picture or is after it', async () => {
    masked = [{ x: 0, y: 0, width: 8, height: 8 }];
    onRead = () => (masked = [{ x: 40, y: 0, width: 8, height: 8 }]);
    const shot = await take();
    assert.deepEqual(await pixel(shot, 2, 2), BLACK);
    assert.deepEqual(await pixel(shot, 42, 2), BLACK);
    assert.deepEqual(await pixel(shot, 20, 2), WHITE);
  });

  it('have black areas if the caller loses the role for masked fields during the call', async () => {
    masked = [{ x: 0, y: 0, width: 8, height: 8 }];
    let sees = true;
    onRead = () => (sees = false);
    const shot = await take({}, () => sees);
    assert.deepEqual(await pixel(shot, 2, 2), BLACK);
    assert.deepEqual(await pixel(shot, 20, 2), WHITE);
  });

  it('of one caller leave room for those of others', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    onRead = () => held;
    const options = screenshotOf({});
    const of = (caller: object) =>
      screenshots.take({ options, caller, seesMasked: never, mayStillSee, maxBytes: MANY });
    const [greedy, other] = [{}, {}];
    const taken = [greedy, greedy, greedy, greedy, other].map(of);
    assert.throws(() => of(greedy), { code: 'err_too_many_calls' });
    release();
    await Promise.all(taken);
    await of(greedy);
  });

  it('are black if a page does not report its masked fields', async () => {
    masked = 'unknown';
    assert.deepEqual(await pixel(await take(), 30, 16), BLACK);
  });

  it('are not delivered if the caller may not see any more when they were read', async () => {
    let sees = true;
    onRead = () => (sees = false);
    const check = () => {
      if (!sees) throw Object.assign(new Error('private'), { code: 'err_forbidden' });
    };
    await refused(take({}, never, MANY, check), 'err_forbidden');
  });

  it('do not wait for a still screen after the caller may not see any more', async () => {
    const camera = await source.openCamera();
    let waited = false;
    const whenStill: typeof camera.whenStill = (_still, _limit, check) => {
      waited = true;
      check?.();
      return new Promise(() => undefined);
    };
    screenshots.use({ ...source, openCamera: () => Promise.resolve({ ...camera, whenStill }) });
    const check = () => {
      if (waited) throw new CallError('err_forbidden', 'gone');
    };
    await refused(take({ wait_for_stable: 100 }, never, MANY, check), 'err_forbidden');
  });

  it('are refused above a size, with a hint', async () => {
    await assert.rejects(take({}, never, 10), /Use format jpeg or webp, a smaller scale, or a region/);
  });

  it('share one camera, which is closed some time after the last one', async () => {
    await Promise.all([take(), take()]);
    assert.equal(opened, 1);
    clock.advance(14_000);
    await take();
    clock.advance(14_000);
    assert.equal(closed, 0);
    clock.advance(2_000);
    await settled();
    assert.equal(closed, 1);
    await take();
    assert.equal(opened, 2);
  });

  it('use another camera when the screen has another size', async () => {
    await take();
    size = { width: 16, height: 16 };
    assert.deepEqual((await take()).region, { x: 0, y: 0, width: 16, height: 16 });
    assert.deepEqual([opened, closed], [2, 1]);
  });

  it('are refused while there is no browser, and when too many wait', async () => {
    const shots = Array.from({ length: 8 }, () => take());
    assert.throws(() => take(), {
      code: 'err_too_many_calls',
      message: /4 screenshots of one caller, and 8 of the session/,
    });
    await Promise.all(shots);
    await settled();
    screenshots.browserIsGone();
    await refused(take(), 'err_browser_unavailable');
  });

  it('are taken from the next browser after the display of a browser has ended during one', async () => {
    const reading = new Promise<void>((resolve) => {
      // The display has ended, so it gives no answer.
      onRead = () => {
        resolve();
        return new Promise(() => undefined);
      };
    });
    const shots = [take(), take()].map((shot) => refused(shot, 'err_browser_unavailable'));
    await reading;
    screenshots.browserIsGone();
    await Promise.all(shots);
    onRead = () => undefined;
    screenshots.use({ ...source });
    assert.equal((await take()).width, 64);
    assert.deepEqual([opened, closed], [2, 1]);
  });

  it('keep the camera of the next browser open if an old one answers late', async () => {
    let fail: (error: Error) => void = () => undefined;
    const reading = new Promise<void>((resolve) => {
      onRead = () => {
        resolve();
        return new Promise<void>((_, reject) => (fail = reject));
      };
    });
    const old = refused(take(), 'err_browser_unavailable');
    await reading;
    screenshots.browserIsGone();
    await old;
    onRead = () => undefined;
    screenshots.use({ ...source });
    await take();
    fail(new Error('The display has ended.'));
    await settled();
    await take();
    assert.deepEqual([opened, closed], [2, 1]);
  });
});

describe('the camera', () => {
  const open = () => {
    const screen = { width: 8, height: 8, onDamage: undefined as (() => void) | undefined };
    let change: Rect | undefined;
    const camera = new ScreenCamera(
      Object.assign(screen, {
        read: () => Promise.resolve(undefined),
        takeChange: () => change,
        close: () => undefined,
      }),
      () => Promise.resolve(POINTER),
      () => undefined,
      () => 1,
      clock,
    );
    const changes = (rect: Rect) => {
      change = rect;
      screen.onDamage?.();
    };
    return { camera, changes };
  };
  const POINTER = {
    ...{ x: 4, y: 4, xhot: 1, yhot: 1, width: 2, height: 1 },
    cursorImage: Buffer.from([10, 20, 30, 255, 0, 0, 0, 0]),
  };

  it('reports a still screen after the time without a change', async () => {
    const { camera, changes } = open();
    let still: boolean | undefined;
    void camera.whenStill(100, 1_000).then((is) => (still = is));
    clock.advance(60);
    changes({ x: 0, y: 0, width: 8, height: 8 });
    clock.advance(60);
    await settled();
    assert.equal(still, undefined);
    clock.advance(50);
    await settled();
    assert.equal(still, true);
  });

  it('gives up when the screen does not rest, and ignores a blinking caret', async () => {
    const { camera, changes } = open();
    const results: boolean[] = [];
    void camera.whenStill(100, 250).then((is) => results.push(is));
    for (let time = 0; time < 300; time += 50) {
      changes({ x: 0, y: 0, width: 8, height: 8 });
      clock.advance(50);
      await settled();
    }
    assert.deepEqual(results, [false]);
    void camera.whenStill(100, 250).then((is) => results.push(is));
    for (let time = 0; time < 150; time += 50) {
      changes({ x: 0, y: 0, width: 2, height: 20 });
      clock.advance(50);
      await settled();
    }
    assert.deepEqual(results, [false, true]);
  });

  it('does not wait for a screen that moves after nobody may see the picture', async () => {
    const { camera, changes } = open();
    let gone = false;
    const check = () => {
      if (gone) throw new Error('gone');
    };
    const refusal = assert.rejects(camera.whenStill(100, 15_000, check), /gone/);
    gone = true;
    clock.advance(50);
    changes({ x: 0, y: 0, width: 8, height: 8 });
    clock.advance(50);
    await refusal;
    assert.equal(clock.pending, 0);
  });

  it('draws the pointer at its position, within the screen', async () => {
    const { camera } = open();
    const picture = Buffer.alloc(8 * 8 * 4, 200);
    await camera.drawPointer(picture);
    assert.deepEqual([...picture.subarray((3 * 8 + 3) * 4, (3 * 8 + 3) * 4 + 3)], [10, 20, 30]);
    assert.deepEqual([...picture.subarray((3 * 8 + 4) * 4, (3 * 8 + 4) * 4 + 3)], [200, 200, 200]);
  });
});
