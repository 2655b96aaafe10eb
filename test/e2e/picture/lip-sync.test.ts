import assert from 'node:assert/strict';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { hold, STRICT } from '../../support/limits.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { openViewer } from '../support/viewers.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 480 };
/** Number of pairs, one per second. The long test has `SOUND_PAIRS=60`. */
const PAIRS = Number(process.env['SOUND_PAIRS'] ?? (STRICT ? 15 : 6));

test.describe('sound and picture', { tag: ['@timing', '@alone'] }, () => {
  test('stay synchronized all the time', async ({ show, browser }) => {
    const { remote, session } = await show('flash-beep', { kiosk: true, ...SIZE });
    const viewer = await openViewer(browser, session, { viewport: SIZE });
    await viewer.page.mouse.click(320, 240);
    await remote.event('click');
    const apart = await viewer.page.evaluateHandle(watch);
    await remote.run('begin()');
    const differences = await viewer.page.evaluate(
      async ([seen, pairs]) => {
        while (seen.beeps.length <= pairs) await new Promise((resolve) => setTimeout(resolve, 100));
        return seen.flashes.map((flash) => {
          const off = seen.beeps.map((beep) => beep - flash);
          return off.reduce((best, each) => (Math.abs(each) < Math.abs(best) ? each : best), Infinity);
        });
      },
      [apart, PAIRS] as const,
    );
    const sorted = differences.slice(1).sort((a, b) => a - b);
    const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? NaN);
    const stats = await viewer.page.evaluate(
      () => document.querySelector<CloudBrowserElement>('cloud-browser')?.stats,
    );
    const figures =
      `sound after picture by ${at(0)} to ${at(1)} ms, median ${at(0.5)}, 5 % ${at(0.05)}, 95 % ${at(0.95)}; the viewer ` +
      `says ${stats?.soundOffset?.toFixed(0)}, with a latency of ${stats?.soundLatency?.toFixed(0)} ms and ${stats?.soundGaps} gaps`;
    assert.ok(sorted.length >= PAIRS - 2, `${sorted.length} pairs`);
    hold('sound apart from its picture, median', Math.abs(at(0.5)), figures);
    hold('sound apart from its picture, 5 and 95 %', Math.max(-at(0.05), at(0.95)), figures);
    hold('what a viewer says of that, off by', Math.abs((stats?.soundOffset ?? NaN) - at(0.5)), figures);
  });
});

/** Records the times at which a flash is painted and a tone of the page is played, in milliseconds. */
function watch() {
  const flashes: number[] = [];
  const beeps: number[] = [];
  let white = false;
  const small = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  document.querySelector<CloudBrowserElement>('cloud-browser')?.viewer?.on('frame', (image) => {
    if (!small) return;
    small.drawImage(image, 0, 0, 1, 1);
    const [red = 0] = small.getImageData(0, 0, 1, 1).data;
    if (red > 128 && !white) flashes.push(performance.now());
    white = red > 128;
  });
  let quietSince = -Infinity;
  const original = Reflect.get(AudioBufferSourceNode.prototype, 'start');
  AudioBufferSourceNode.prototype.start = function (when = 0, ...rest) {
    const { buffer, context } = this;
    const samples = buffer?.getChannelData(0) ?? new Float32Array();
    const onset = samples.findIndex((sample) => Math.abs(sample) > 0.05);
    if (onset >= 0) {
      const { contextTime = 0, performanceTime = 0 } = (context as AudioContext).getOutputTimestamp();
      const heard = performanceTime + (when + onset / context.sampleRate - contextTime) * 1000;
      if (heard - quietSince > 300) beeps.push(heard);
      quietSince = heard;
    }
    return original.call(this, when, ...rest);
  };
  return { flashes, beeps };
}
