/** The long form: RECORDED_SECONDS=60 SOUND_SECONDS=600 npx playwright test recorded-frames --no-deps */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nalUnits } from '../../../server/src/host/encode/nal-units.js';
import { hold } from '../../support/limits.js';
import { decodePictures } from '../../support/decoded-pictures.js';
import { decodeSound } from '../../support/decoded-sound.js';
import { packetsOf } from '../../support/read-video.js';
import { RawViewer } from '../support/raw-viewer.js';
import { RecordingService } from '../support/recording-service.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { openViewer } from '../support/viewers.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 480 };
const FPS = 30;
const FRAME_SECONDS = Number(process.env['RECORDED_SECONDS'] ?? 10);
const SOUND_SECONDS = Number(process.env['SOUND_SECONDS'] ?? 15);
/** Time limit for a recording, in addition to its length. */
const START_MS = 60_000;
/** Brightness between the black and the white of the page `flash-beep`, and loudness of its tone. */
const [BRIGHT, LOUD] = [128, 0.05];
/** Silence before a tone, in seconds. The tone lasts a tenth of a second, and its samples cross zero. */
const SILENCE_SECONDS = 0.3;

let recordings: RecordingService;
test.beforeAll(async () => {
  recordings = await RecordingService.start();
});

const recorded = (session: Session, seconds: number) =>
  recordings.recordMore(session, seconds, seconds * 1_000 + START_MS);

async function videoOf(session: Session): Promise<string> {
  await recordings.service.end(session);
  const { id } = await recordings.completeRecordingOf(session);
  return join(recordings.directory, id, 'video.mp4');
}

/** Returns a hash of a packet as a video file contains it: lengths instead of start codes. */
function hashInFile(annexB: Uint8Array): string {
  const hash = createHash('sha256');
  for (const unit of nalUnits(Buffer.from(annexB))) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(unit.length);
    hash.update(length).update(unit);
  }
  return hash.digest('base64url');
}

interface TimedFrame {
  hash: string;
  time: number;
}

/**
 * Finds frames in a recording, in their order. Frames with the same change have the same bytes, so the match
 * with the least spread of the offsets between the times, in seconds, is returned.
 */
function bestMatch(sent: readonly TimedFrame[], video: readonly TimedFrame[]) {
  const matches = [...video.keys()]
    .filter((start) => video[start]?.hash === sent[0]?.hash)
    .map((start) => {
      const offsets: number[] = [];
      let next = start;
      for (const { hash, time } of sent) {
        const at = video.findIndex((frame, index) => index >= next && frame.hash === hash);
        if (at < 0) continue;
        offsets.push((video[at]?.time ?? NaN) - time);
        next = at + 1;
      }
      const spread = Math.max(...offsets) - Math.min(...offsets);
      return { missing: sent.length - offsets.length, spread };
    });
  matches.sort((a, b) => a.missing - b.missing || a.spread - b.spread);
  return matches[0] ?? { missing: sent.length, spread: Infinity };
}

test('a recording has every frame that a viewer was sent, at its time', async ({ show }) => {
  test.setTimeout(FRAME_SECONDS * 1_000 + 4 * START_MS);
  const { session } = await show(
    'motion',
    { kiosk: true, record: true, fps: FPS, ...SIZE },
    recordings.service,
  );
  const viewer = await RawViewer.open(session);
  await recorded(session, 2);
  const sent: TimedFrame[] = [];
  viewer.onPacket = ({ payload, captureTime }) =>
    sent.push({ hash: hashInFile(payload), time: captureTime / 1e6 });
  await recorded(session, FRAME_SECONDS);
  viewer.onPacket = undefined;
  const video = (await packetsOf(await readFile(await videoOf(session)))).filter(
    ({ codec }) => codec === 'video',
  );
  const { missing, spread } = bestMatch(sent, video);
  note(
    `${sent.length} frames in ${FRAME_SECONDS} s, ${missing} missing, times within ${(spread * 1_000).toFixed(1)} ms`,
  );
  assert.ok(sent.length > FRAME_SECONDS, `the viewer was sent ${sent.length} frames`);
  assert.equal(missing, 0);
  assert.ok(spread < 1 / FPS, `the times differ by ${spread} s`);
});

test('sound and picture of a recording stay together', { tag: '@timing' }, async ({ show, browser }) => {
  test.setTimeout(SOUND_SECONDS * 1_000 + 4 * START_MS);
  const { remote: page, session } = await show(
    'flash-beep',
    { kiosk: true, record: true, ...SIZE },
    recordings.service,
  );
  const viewer = await openViewer(browser, session, { viewport: SIZE });
  await viewer.page.mouse.click(320, 240);
  await page.event('click');
  await page.run('begin()');
  await recorded(session, SOUND_SECONDS);
  await viewer.close();
  const path = await videoOf(session);
  const flashes: number[] = [];
  let white = false;
  await decodePictures(path, (picture) => {
    const isWhite = picture.luma(SIZE.width / 2, SIZE.height / 2) > BRIGHT;
    if (isWhite && !white) flashes.push(picture.time);
    white = isWhite;
  });
  const tones: number[] = [];
  let loudAt = -Infinity;
  await decodeSound(path, (time, samples, rate) => {
    for (const [nth, sample] of samples.entries()) {
      if (Math.abs(sample) < LOUD) continue;
      const at = time + nth / rate;
      if (at - loudAt > SILENCE_SECONDS) tones.push(at);
      loudAt = at;
    }
  });
  // The page is white before it is loaded. Only flashes with a tone count.
  const apart = flashes
    .map((flash) => Math.min(...tones.map((tone) => Math.abs(tone - flash))) * 1_000)
    .filter((distance) => distance < 400)
    .sort((a, b) => a - b);
  const at = (share: number) => apart[Math.floor(share * (apart.length - 1))] ?? NaN;
  const figures = `${apart.length} pairs, at most ${at(1).toFixed(1)} ms apart`;
  note(`${figures}, median ${at(0.5).toFixed(1)} ms, 95 % ${at(0.95).toFixed(1)} ms`);
  assert.ok(apart.length > SOUND_SECONDS / 2, figures);
  hold('sound of a recording apart from its picture, median', at(0.5), figures);
  hold('sound of a recording apart from its picture, 95 %', at(0.95), figures);
});
