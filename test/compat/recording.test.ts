import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { hold, isKept, patient, STRICT } from '../support/limits.js';
import { cleanUpAtEnd, test } from '../e2e/support/test.js';
import { until } from '../e2e/support/until.js';
import { CustomerSite } from './support/customer-site.js';
import { readFilm } from './support/film.js';

cleanUpAtEnd();
const TONE_HZ = 440;
const SECONDS = STRICT ? 10 : 5;
const FPS = 30;
/** Milliseconds that the test waits until a busy machine keeps up for one recording. */
const KEEP_UP_LIMIT_MS = 60_000;

test.describe('a page that records its session', { tag: '@timing' }, () => {
  // Proves: page: captureStream() of #vid
  test('gets a file with picture and sound, at the frame rate of the session', async ({
    browser,
    service,
    pages,
  }) => {
    const remote = pages.page('film');
    const size = { width: 640, height: 480 };
    const session = await service.create({ start_url: remote.url, kiosk: true, fps: FPS, ...size });
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
    let kept = 0;
    const film = await until(
      'a film has enough frames',
      async () => {
        const file = (await customer.press('record', SECONDS)) as string;
        await writeFile(path, Buffer.from(file, 'base64'));
        const recorded = await readFilm(path);
        kept = (100 * recorded.distinctFrames) / (SECONDS * FPS);
        // A busy machine shows fewer frames.
        return isKept('frames in a recording', kept) && recorded;
      },
      KEEP_UP_LIMIT_MS,
    );
    hold('frames in a recording', kept);
    // On a busy machine a recording stops late.
    const [least, most] = [SECONDS * 0.9, patient(SECONDS * 1.1)];
    assert.ok(film.seconds > least && film.seconds < most, `${film.seconds} s`);
    assert.ok(film.loudness > 0.1, `${film.loudness}`);
    assert.ok(Math.abs(film.frequency - TONE_HZ) < TONE_HZ / 10, `${film.frequency} Hz`);
    assert.deepEqual(customer.complaints, []);
    await service.end(session);
  });
});
