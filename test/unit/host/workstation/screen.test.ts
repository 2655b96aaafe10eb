import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { ScreenSource } from '../../../../server/src/host/capture/screen-source.js';
import { settingsOf } from '../../../../server/src/host/display/display-scale.js';
import type { DisplayAddress } from '../../../../server/src/host/display/x-server.js';
import { Screen, type ScreenUsers } from '../../../../server/src/host/workstation/screen.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';

const never = new Promise<never>(() => undefined);
const FINE = { width: 400, height: 300, pixelRatio: 2 };

let time: PassingTime;
/** Calls to the display and to the components that use it. */
let told: string[];
/** The actual size of the display. */
let size: { width: number; height: number };
let users: ScreenUsers;
beforeEach(() => {
  time = new PassingTime();
  told = [];
  size = { width: 800, height: 600 };
  users = {
    windowFit: { expect: () => Promise.resolve() },
    pages: { front: () => Promise.resolve(undefined), pixelRatio: 1 },
    focus: { pixelRatio: 1 },
    devices: { resized: ({ width, height }) => void told.push(`input ${width}x${height}`) },
    scale: { set: (ratio) => void told.push(`scale ${ratio}`) },
    emulated: false,
  };
});
afterEach(() => time.restore());

/** A screen on a display whose mode changes as the test says. */
function open(setMode: () => Promise<void>, openSource = () => Promise.resolve(source())): Promise<Screen> {
  const display = {
    address: {} as DisplayAddress,
    setMode: (mode: { width: number; height: number }) => {
      told.push(`mode ${mode.width}x${mode.height}`);
      return setMode();
    },
    renew: () => void told.push('renewed'),
  };
  return Screen.open(display, 60, openSource);
}

function source(): ScreenSource {
  const { width, height } = size;
  const close = () => void told.push(`closed ${width}x${height}`);
  return { width, height, close } as unknown as ScreenSource;
}

describe('a screen', () => {
  it('changes its display and the size in all components', async () => {
    const screen = await open(() => {
      size = { width: 800, height: 1200 };
      return Promise.resolve();
    });
    await screen.resize({ width: 400, height: 600, pixelRatio: 2 }, users);
    assert.deepEqual(told, [
      'mode 800x1200',
      'scale 2',
      'input 800x1200',
      'input 800x1200',
      'closed 800x600',
    ]);
    assert.deepEqual([users.pages.pixelRatio, users.focus?.pixelRatio], [2, 2]);
    assert.equal(screen.source.height, 1200);
  });

  it('whose display never confirms a mode stops waiting, and shows the actual size', async () => {
    const screen = await open(() => never);
    const refused = assert.rejects(screen.resize(FINE, users), /does not confirm/);
    await settle();
    await time.pass(4_000);
    await refused;
    assert.deepEqual(told, ['mode 800x600', 'renewed', 'input 800x600', 'closed 800x600']);
    assert.equal(users.pages.pixelRatio, 1);
  });

  it('whose display does not answer keeps its capture source', async () => {
    let opened = 0;
    const screen = await open(
      () => never,
      () => (++opened > 1 ? never : Promise.resolve(source())),
    );
    const before = screen.source;
    const refused = assert.rejects(screen.resize(FINE, users), /does not confirm/);
    await settle();
    await time.pass(4_000);
    await time.pass(4_000);
    await refused;
    assert.equal(screen.source, before);
  });

  it('that is closed during a change ends the change', async () => {
    const screen = await open(() => never);
    const refused = assert.rejects(screen.resize(FINE, users), /is being stopped/);
    screen.close();
    await refused;
  });
});

describe('the settings of a display', () => {
  it('have the format of XSETTINGS', () => {
    const settings = settingsOf(196_608, 3);
    assert.equal(
      settings.toString('hex'),
      '00000000' + '03000000' + '01000000' + '00000700' + '5866742f44504900' + '03000000' + '00000300',
    );
  });
});
