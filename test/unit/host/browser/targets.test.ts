import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { followTargets, type Preparation } from '../../../../server/src/host/browser/cdp/targets.js';
import { AndroidEmulation } from '../../../../server/src/host/browser/pages/emulation/android-emulation.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';

let time: PassingTime;
let browser: FakeBrowser;
beforeEach(() => {
  time = new PassingTime();
  browser = new FakeBrowser();
});
afterEach(() => time.restore());

const resumed = () =>
  browser.commands
    .filter(({ method }) => method === 'Runtime.runIfWaitingForDebugger')
    .map(({ sessionId }) => sessionId);
const follow = (...preparations: Preparation[]) => followTargets(browser.cdp, preparations, () => undefined);

describe('every CDP target', () => {
  it('is resumed, because Chromium also pauses popups', async () => {
    await follow();
    browser.attach('popup', 'page');
    await settle();
    assert.deepEqual(resumed(), ['hidden', 'front', 'popup']);
  });

  it('gets its emulation before it resumes, with its frames and workers', async () => {
    await follow(await AndroidEmulation.create(browser.cdp));
    browser.attach('frame', 'iframe', 'front');
    await settle();
    browser.attach('worker', 'worker', 'frame');
    await settle();
    assert.deepEqual(resumed(), ['hidden', 'front', 'frame', 'worker']);
    for (const id of resumed()) {
      const methods = browser.commands
        .filter(({ sessionId }) => sessionId === id)
        .map(({ method }) => method);
      assert.equal(methods[0], 'Emulation.setUserAgentOverride');
      assert.equal(methods.at(-1), 'Runtime.runIfWaitingForDebugger');
    }
  });

  for (const method of [
    'Emulation.setUserAgentOverride',
    'Emulation.setDeviceMetricsOverride',
    'Emulation.setTouchEmulationEnabled',
    'Emulation.setEmitTouchEventsForMouse',
    'Runtime.evaluate',
    'Target.setAutoAttach',
  ])
    it(`is resumed even if its ${method} is never answered`, async () => {
      browser.silent = (command) => command.method === method && command.sessionId !== undefined;
      await follow(await AndroidEmulation.create(browser.cdp));
      browser.attach('worker', 'worker', 'front');
      await time.pass(3_000);
      assert.deepEqual(resumed().sort(), ['front', 'hidden', 'worker']);
    });
});
