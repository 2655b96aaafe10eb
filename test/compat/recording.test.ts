import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { cleanUpAtEnd, note, test } from '../e2e/support/test.js';
import { until } from '../e2e/support/until.js';
import { CustomerSite } from './support/customer-site.js';
import { readFilm } from './support/film.js';

cleanUpAtEnd();
const TONE_HZ = 440;
/** Of ten seconds at 30 frames a second. */
const FRAMES = 240;
/** How long the test waits for a busy machine to keep up for one recording. */
const KEEP_UP_LIMIT_MS = 60_000;

test.describe('a page that records what it shows', { tag: '@timing' }, () => {
  test('has ten seconds of picture and sound in its file, at the rate of the session', async ({
    browser,
    service,
    pages,
  }) => {
    const remote = pages.page('film');
    const size = { width: 640, height: 480 };
    const session = await service.create({ start_url: remote.url, kiosk: true, fps: 30, ...size });
    await remote.loaded();
    const site = await CustomerSite.start();
    const customer = await site.open(browser, 'recording', session.embed_url);
    await customer.ready();
    await customer.tells('played', (played) => played);
    // The hosted browser plays no sound before its user has clicked.
    await customer.page.mouse.click(320, 240);
    await remote.event('click');
    await remote.run(`play(${TONE_HZ})`);
    const path = test.info().outputPath('film.webm');
    const film = await until(
      `a film has ${FRAMES} frames`,
      async () => {
        const file = (await customer.press('record', 10)) as string;
        await writeFile(path, Buffer.from(file, 'base64'));
        const recorded = await readFilm(path);
        note(`${recorded.distinctFrames} frames, ${recorded.frequency.toFixed(1)} Hz`);
        // A busy machine shows fewer frames.
        return recorded.distinctFrames >= FRAMES && recorded;
      },
      KEEP_UP_LIMIT_MS,
    );
    assert.ok(film.seconds > 9 && film.seconds < 11, `${film.seconds} s`);
    assert.ok(film.loudness > 0.1, `${film.loudness}`);
    assert.ok(Math.abs(film.frequency - TONE_HZ) < TONE_HZ / 10, `${film.frequency} Hz`);
    assert.deepEqual(customer.complaints, []);
    await service.end(session);
  });
});
