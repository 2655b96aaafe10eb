import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodePictures, type DecodedPicture } from '../../support/decoded-pictures.js';
import type { HostedPage } from '../support/hosted-page.js';
import { Person } from '../support/person.js';
import { RecordingService } from '../support/recording-service.js';
import type { Service, Session } from '../support/service.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 480 };
const MASK = { matches: ['http://127.0.0.1/*', '*://localhost/*'], selectors: ['.secret'] };
const FIELD = { x: 140, y: 60 };
const SELECT = { x: 140, y: 180 };
const TYPED = 'Xylophon4711';
/** Red chroma above which a pixel belongs to a field. */
const RED = 170;

let recordings: RecordingService;
let service: Service;
let directory: string;
test.beforeAll(async () => {
  recordings = await RecordingService.start();
  ({ service, directory } = recordings);
});

function redPixels(picture: DecodedPicture): number {
  let count = 0;
  for (let y = 0; y < picture.height; y += 2)
    for (let x = 0; x < picture.width; x += 2) if (picture.redness(x, y) > RED) count += 1;
  return count;
}

/** Seconds of a page at rest. On a busy machine, its first pictures are black. */
const REST_SECONDS = 5;

/** Opens a session with red masked fields that is recorded, and a user who may write into them. */
async function open(page: HostedPage): Promise<{ session: Session; owner: Person }> {
  const session = await service.create({
    ...{ ...SIZE, start_url: page.url, kiosk: true, field_masking: [MASK] },
    record: { audio: false },
  });
  await page.fills(SIZE);
  return { session, owner: await Person.enter(session, page, true) };
}

/** Ends a session. Returns the pictures of its recording that show anything red, and numbers of others. */
async function picturesOf(session: Session) {
  await service.end(session);
  const recording = await recordings.completeRecordingOf(session);
  const red: { time: number; pixels: number }[] = [];
  const marked: number[] = [];
  const black: number[] = [];
  await decodePictures(join(directory, recording.id, 'video.mp4'), (picture) => {
    const pixels = redPixels(picture);
    if (pixels > 0) red.push({ time: picture.time, pixels });
    // The blue mark in the corner: the page is shown.
    const [level, corner] = [picture.luma(FIELD.x, FIELD.y), picture.luma(SIZE.width - 16, SIZE.height - 16)];
    if (corner > 15 && corner < 60 && level < 8) marked.push(picture.time);
    black.push(corner);
  });
  return { recording, red, marked, count: black.length, dark: black.filter((level) => level < 8).length };
}

test.describe('a recording of a session with masked fields', () => {
  // Proves: record; field_masking
  test('shows no field and no password, at rest, while typing, scrolling and moving', async ({ pages }) => {
    const page = pages.page('masked-picture');
    const { session, owner } = await open(page);
    const atRest = await recordings.recordMore(session, REST_SECONDS);
    await until('the owner is in the field', async () => {
      owner.click(FIELD.x, FIELD.y);
      return (await page.run('document.activeElement.id')) === 'plain';
    });
    owner.text(TYPED);
    await until('the text is there', () => page.run('byId("plain").value'));
    await recordings.recordMore(session, 1);
    // A page may show the text of a password field.
    await page.run('byId("was").type = "text"');
    await recordings.recordMore(session, 1);
    for (let step = 0; step < 12; step++) {
      await page.run(`scrollBy({ top: ${step < 6 ? 300 : -300}, behavior: 'smooth' })`);
      owner.wheel([400, 300]);
      await page.event('scrollend', step + 1).catch(() => undefined);
    }
    await page.run('scrollTo(0, 0)');
    for (const way of ['smooth', 'jumps']) {
      await page.run(`window.way = '${way}'`);
      await recordings.recordMore(session, 3);
    }
    await page.run('rest()');
    const end = await recordings.recordMore(session, REST_SECONDS);
    const { recording, red, marked, count, dark } = await picturesOf(session);
    note(
      `${count} pictures in ${recording.seconds} s, ${marked.length} show the page with a black field, ${dark} are black`,
    );
    assert.deepEqual(red, [], 'pictures show a masked field');
    assert.ok(marked.some((time) => time < atRest) && marked.some((time) => time > end - REST_SECONDS));
    for (const name of await readdir(join(directory, recording.id)))
      assert.equal((await readFile(join(directory, recording.id, name))).includes(TYPED), false, name);
  });

  test('shows no field in a frame of another origin, in a popup, and in an open list', async ({ pages }) => {
    const page = pages.page('masked-picture');
    const frame = pages.page('masked-picture');
    const popup = pages.page('masked-picture');
    const { session, owner } = await open(page);
    await page.run(`addFrame(${JSON.stringify(frame.url.replace('127.0.0.1', 'localhost'))})`);
    await frame.run('byId("plain").value = "text"');
    await recordings.recordMore(session, 2);
    for (let step = 0; step < 6; step++) {
      await frame.run(`scrollBy({ top: ${step < 3 ? 100 : -100}, behavior: 'smooth' })`);
      await page.run(`scrollBy({ top: ${step < 3 ? 60 : -60}, behavior: 'smooth' })`);
      await recordings.recordMore(session, 0.5);
    }
    await page.run('scrollTo(0, 0)');
    await recordings.recordMore(session, 2);
    owner.click(SELECT.x, SELECT.y);
    await until('the list is open', () => page.run('byId("select").matches(":open")'));
    await recordings.recordMore(session, 1.5);
    owner.press('Escape');
    await recordings.recordMore(session, 1.5);
    await page.run(
      `document.onclick = () => { open(${JSON.stringify(popup.url)}, '', 'width=400,height=300') }`,
    );
    await until('the popup is open', () => {
      owner.click(500, 400);
      return until('it is', () => popup.loads > 0, 2_000).catch(() => false);
    });
    await recordings.recordMore(session, 3);
    await popup.run('close()').catch(() => undefined);
    await recordings.recordMore(session, 3);
    const { recording, red, marked, count, dark } = await picturesOf(session);
    note(`${count} pictures in ${recording.seconds} s, ${marked.length} show the page, ${dark} are black`);
    assert.deepEqual(red, [], 'pictures show a masked field');
    assert.ok(marked.length > 0);
  });
});
