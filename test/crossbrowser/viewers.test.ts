import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { HostedPage } from '../e2e/support/hosted-page.js';
import { Relay } from '../e2e/support/relay.js';
import { until } from '../e2e/support/until.js';
import { BROWSERS, startPublicClient, WAYS } from './support/browsers.js';
import type { Guest } from './support/guest.js';
import {
  chartError,
  comesOut,
  movingChartError,
  pictureOf,
  placeOf,
  transformedPlaceOf,
} from './support/shown.js';
import { Stage } from './support/stage.js';

const TONE_HZ = 440;
/**
 * Quality of text at rest in dB: with a colour for (nearly) each pixel, and with a colour for four pixels.
 */
const [SHARP_TEXT, SMOOTH_TEXT] = [45, 38];

/** Violations by the file of the public client itself, which npm delivers. */
const OWN_VIOLATION = /client-\d+\.js/;

const stage = new Stage();

/** Asserts that keys, clicks and the wheel reach the remote page. */
async function takesInput(guest: Guest, remote: HostedPage): Promise<void> {
  await remote.run(`field.value = ''; box.scrollTop = 0`);
  const clicks = remote.count('click');
  await guest.click(...(await placeOf(guest, 150, 390)));
  await remote.event('click', clicks + 1);
  await guest.click(...(await placeOf(guest, 150, 290)));
  await guest.type('Hello, World 42');
  await remote.until('the text is there', ({ text }) => text === 'Hello, World 42');
  await guest.wheel(...(await placeOf(guest, 460, 350)), 120);
  await remote.until('it has scrolled', ({ top }) => Number(top) > 0);
  await remote.run(`field.value = ''; box.scrollTop = 0; document.activeElement.blur()`);
}

describe('the viewer in', () => {
  before(() => stage.open());
  after(() => stage.close());

  for (const [name, { open, tolerance }] of Object.entries(BROWSERS)) {
    describe(name, () => {
      let guest: Guest;
      before(async () => {
        guest = await open(stage.env);
      });
      after(() => guest.close());

      const sharp = () => comesOut(guest, { tolerance, decibels: SHARP_TEXT, text: stage.text });
      const smooth = () => comesOut(guest, { tolerance: 4, decibels: SMOOTH_TEXT, text: stage.text });

      for (const [way, show] of Object.entries(WAYS)) {
        // Proves: the same picture, sound and input in every browser
        it(`shows correct colours and text by ${way}, after movement too, and accepts input`, async (test) => {
          const { session, remote } = stage.sharp;
          await show(guest, session, stage);
          const first = await sharp();
          await remote.run('move()');
          const moving: number[] = [];
          for (let round = 0; round < 5; round++) {
            const picture = await pictureOf(guest);
            assert.ok(picture);
            moving.push(movingChartError(picture));
          }
          await remote.run('rest()');
          test.diagnostic(`${first}; moving ${moving.join(' ')}; ${await sharp()}`);
          await takesInput(guest, remote);
        });
      }

      // Proves: the same picture, sound and input in every browser
      it('takes clicks at their places in a turned and skewed element', async () => {
        const { session, remote } = stage.sharp;
        await WAYS['the element']?.(guest, session, stage);
        await sharp();
        await remote.run(`addEventListener('mousedown', ({ clientX, clientY }) => {
          window.hit = [clientX, clientY];
        }, true)`);
        for (const transform of ['rotate(25deg) skew(12deg)', 'rotate(-70deg) scale(0.7, 0.9)']) {
          await guest.run(`document.querySelector('cloud-browser').style.transform = '${transform}'`);
          for (const [x, y] of [
            [120, 90],
            [320, 240],
            [560, 400],
          ] as const) {
            await remote.run('window.hit = undefined');
            await guest.click(...(await transformedPlaceOf(guest, x, y)));
            const hit = (await until('the click arrives', () => remote.run('window.hit'))) as number[];
            const apart = Math.hypot(...[x, y].map((wanted, index) => wanted - (hit[index] ?? 0)));
            assert.ok(apart <= 2, `${transform}: ${x}, ${y} came to ${hit.join(', ')}`);
          }
        }
      });

      // Proves: page: a tight Content-Security-Policy
      it('plays by the public client under a tight Content-Security-Policy without a violation', async () => {
        const { session } = stage.sharp;
        await guest.goto(stage.site.strictPage(new URL(stage.service.url)));
        await startPublicClient(guest, session);
        await sharp();
        // The policy of the page forbids nothing that the client's own file does not do by itself.
        const violations = (await guest.run('return window.violations')) as string[];
        assert.deepEqual(
          violations.filter((violation) => !OWN_VIOLATION.test(violation)),
          [],
        );
      });

      // WebKitGTK hands a captured canvas to a <video> with an arbitrary delay, on a busy machine of more
      // than 30 s.
      for (const place of name === 'WebKitGTK' ? [] : ['in the page', 'detached']) {
        it(`provides frames for a page to draw, with an element ${place}`, async (test) => {
          const { session, remote } = stage.smooth;
          await guest.goto(stage.site.embedderPage);
          await guest.run(`while (!window.start) await new Promise((resolve) => setTimeout(resolve, 10));
            await window.start('one', ${JSON.stringify(session.embed_url)}, {
              timeout: 20000, wants: 'frames', place: ${JSON.stringify(place)} });`);
          await remote.run('move()');
          const frames = await until('two pictures come', () =>
            guest.run(`const { frames } = window.embeds.one;
              if (frames.length < 2) return false;
              const newest = frames.at(-1);
              return {
                kind: newest.constructor.name,
                expected: window.MediaStreamTrackProcessor ? 'ImageBitmap' : 'HTMLVideoElement',
                lit: window.colourOf(newest, 0.5, 0.95).some((part) => part > 0),
              };`),
          );
          await remote.run('rest()');
          const { kind, expected, lit } = frames as { kind: string; expected: string; lit: boolean };
          test.diagnostic(kind);
          assert.deepEqual([kind, lit], [expected, true]);
        });
      }

      // Proves: the same picture, sound and input in every browser
      it('shows the smooth quality correctly', async (test) => {
        await guest.goto(stage.smooth.session.embed_url);
        test.diagnostic(await smooth());
      });

      // Proves: the same picture, sound and input in every browser
      it('shows a session that the demo starts', async (test) => {
        const remote = stage.pages.page('chart');
        await guest.goto(stage.service.url);
        await guest.run(`sessionStorage.setItem('cloud-browser-demo.key', '${stage.service.key}');
        const form = document.querySelector('.session-form');
        const { elements } = form;
        elements.namedItem('start-url').value = '${remote.url}';
        elements.namedItem('size').value = 'custom';
        elements.namedItem('width').value = '800';
        elements.namedItem('height').value = '600';
        elements.namedItem('kiosk').checked = true;
        form.dispatchEvent(new Event('input'));
        form.requestSubmit();`);
        await remote.fills({ width: 800, height: 600 });
        test.diagnostic(await smooth());
        await takesInput(guest, remote);
        await guest.run(`document.querySelector('[data-action=end]').click();`);
        await until('the form is back', () =>
          guest.run(`return !document.querySelector('.session-form').hidden;`),
        );
      });

      // Proves: the same picture, sound and input in every browser
      it('plays sound', async () => {
        const { session, remote } = stage.sharp;
        await guest.goto(session.embed_url);
        await sharp();
        await guest.click(...(await placeOf(guest, 150, 390)));
        await remote.run(`play(${TONE_HZ})`);
        await until('samples are not zero', () =>
          guest.run(`if (!window.ear) {
            const track = document.querySelector('cloud-browser').viewer.captureSound();
            if (!track) return false;
            // Each context has threads of its own, so no check before makes one.
            const context = new AudioContext();
            window.ear = new AnalyserNode(context, { fftSize: 2048 });
            context.createMediaStreamSource(new MediaStream([track])).connect(window.ear);
          }
          const levels = new Float32Array(window.ear.fftSize);
          window.ear.getFloatTimeDomainData(levels);
          return levels.some((level) => Math.abs(level) > 0.05);`),
        );
        await remote.run('silence()');
      });

      // Proves: the same picture, sound and input in every browser
      it('reconnects after its connection was cut', async () => {
        const { session, remote } = stage.smooth;
        const relay = await Relay.start(stage.service.url, stage.end);
        await guest.goto(relay.through(session.embed_url));
        await smooth();
        relay.cut();
        await remote.run(`document.querySelector('#chart').style.visibility = 'hidden'`);
        await until('the change is shown', async () => {
          const picture = await pictureOf(guest);
          return picture && chartError(picture) > 100;
        });
        await remote.run(`document.querySelector('#chart').style.visibility = ''`);
        await smooth();
      });
    });
  }
});
