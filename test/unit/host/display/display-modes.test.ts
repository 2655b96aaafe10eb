import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modeFor, modeline } from '../../../../server/src/host/display/modes.js';

test('the refresh rate of every mode is exact', () => {
  for (const [width, height] of [
    [1280, 720],
    [1108, 831],
    [1920, 1080],
    [257, 4001],
    [256, 256],
    [640, 360],
  ] as const) {
    for (const refresh of [24, 25, 30, 59, 60]) {
      const mode = modeFor(width, height, refresh);
      assert.equal(Number.isInteger(mode.dotClock), true, 'RandR and xorg.conf take whole kilohertz');
      assert.equal((mode.dotClock * 1000) / (mode.hTotal * mode.vTotal), refresh);
    }
  }
});

test('no mode is slow enough for the driver to drop it', () => {
  for (const [width, height] of [
    [256, 256],
    [640, 360],
    [372, 660],
  ] as const) {
    assert.ok(modeFor(width, height, 24).dotClock >= 12_000);
  }
});

test('sync pulses are between the picture and the end of the line', () => {
  const mode = modeFor(1107, 831, 60);
  assert.ok(mode.width < mode.hSyncStart && mode.hSyncStart < mode.hSyncEnd && mode.hSyncEnd <= mode.hTotal);
  assert.ok(mode.height < mode.vSyncStart && mode.vSyncStart < mode.vSyncEnd && mode.vSyncEnd <= mode.vTotal);
});

test('a modeline names the visible size', () => {
  assert.match(
    modeline(modeFor(1280, 720, 24)),
    /^Modeline "1280x720@24" [\d.]+ 1280 \d+ \d+ \d+ 720 \d+ \d+ \d+$/,
  );
});
