import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { packetsOf, probeWarnings } from '../../support/read-video.js';
import { countsIn } from '../support/recorded-counter.js';
import { RecordingService, type Recording } from '../support/recording-service.js';
import type { Service } from '../support/service.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';
import { openViewer } from '../support/viewers.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 480 };

let recordings: RecordingService;
let service: Service;
let directory: string;
test.beforeAll(async () => {
  recordings = await RecordingService.start();
  ({ service, directory } = recordings);
});

async function eventsOf({ id }: Recording): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(directory, id, 'events.jsonl'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Plays a file to its end in the `<video>` of a page. */
async function play(
  browser: Browser,
  file: Buffer,
): Promise<{ width: number; height: number; seconds: number }> {
  const page = await browser.newPage();
  await page.setContent('<video muted></video>');
  await page.locator('video').evaluate(async (video: HTMLVideoElement, base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    video.src = URL.createObjectURL(new Blob([bytes], { type: 'video/mp4' }));
    video.playbackRate = 4;
    await video.play();
  }, file.toString('base64'));
  await page.waitForFunction(() => document.querySelector('video')?.ended);
  const played = await page.locator('video').evaluate((video: HTMLVideoElement) => {
    const { videoWidth: width, videoHeight: height, currentTime: seconds } = video;
    return { width, height, seconds };
  });
  await page.close();
  return played;
}

test.describe('a recorded session', () => {
  // Proves: record
  test('shows what viewers saw, and tells them that it is recorded', async ({ show, browser }) => {
    const { remote, session } = await show('counter', { kiosk: true, record: true, ...SIZE }, service);
    const alone = await until('the recording has begun', async () => {
      const recording = await recordings.recordingOf(session);
      return recording.seconds > 3 && recording;
    });
    const viewer = await openViewer(browser, session, { viewport: SIZE });
    await viewer.page.mouse.click(300, 300);
    await remote.event('click');
    const from = Date.now();
    await until(
      'six more seconds are recorded',
      async () => (await recordings.recordingOf(session)).seconds > alone.seconds + 6,
    );
    await viewer.close();
    const watched = (Date.now() - from) / 1000;
    await service.end(session);
    const recording = await recordings.completeRecordingOf(session);
    const file = await readFile(join(directory, recording.id, 'video.mp4'));
    assert.ok(['', undefined].includes(await probeWarnings(file)));
    const counts = await countsIn(join(directory, recording.id, 'video.mp4'));
    const back = counts.filter(({ count }, index) => count < (counts[index - 1]?.count ?? 0));
    assert.deepEqual(back, [], 'the counter goes back');
    const click = (await eventsOf(recording)).find(({ type }) => type === 'click');
    assert.ok(click, 'the click is an event');
    const during = counts.filter(({ time }) => time > Number(click['t']) && time < Number(click['t']) + 5);
    const before = counts.filter(({ time }) => time < 3);
    note(
      `${before.length / 3} pictures a second without viewers, ${during.length / 5} with one, watched ${watched.toFixed(1)} s, ${file.length} bytes, ${recording.seconds} s`,
    );
    assert.ok(before.length / 3 <= 7, 'few pictures without viewers');
    assert.ok(during.length > before.length, 'more pictures for a viewer');
    const packets = (await packetsOf(file)).filter(({ codec }) => codec === 'video');
    const gaps = packets.slice(1).map(({ time }, index) => {
      const { time: start = 0, duration = 0 } = packets[index] ?? {};
      return Math.abs(start + duration - time);
    });
    assert.ok(Math.max(...gaps) < 0.5, `the longest gap is ${Math.max(...gaps)} s`);
    const played = await play(browser, file);
    assert.deepEqual([played.width, played.height], [SIZE.width, SIZE.height]);
    assert.ok(Math.abs(played.seconds - recording.seconds) < 0.5, `${played.seconds} s are played`);
  });

  test('is ready if it ends right after its first picture, and otherwise says why it failed', async ({
    pages,
    browser,
  }) => {
    const remote = pages.page('counter');
    const create = () => service.create({ start_url: remote.url, kiosk: true, record: true, ...SIZE });
    const shown = await create();
    // The recorder takes the picture that a viewer gets.
    const viewer = await openViewer(browser, shown, { viewport: SIZE });
    await service.end(shown);
    await viewer.close();
    const { id, seconds, end } = await recordings.completeRecordingOf(shown);
    note(`${seconds} s are recorded`);
    assert.ok(seconds >= 0.2, `${seconds} s are recorded`);
    assert.equal(end, 'session_ended');
    const file = await readFile(join(directory, id, 'video.mp4'));
    assert.ok(['', undefined].includes(await probeWarnings(file)));
    assert.equal((await play(browser, file)).width, SIZE.width);
    const unseen = await create();
    const { id: early } = await until('the recording has an entry', async () =>
      (await recordings.recordingsOf(unseen)).at(0),
    );
    await service.end(unseen);
    const recording = await until('the recording has ended', async () => {
      const found = await recordings.recordingOf(unseen);
      return ['ready', 'failed'].includes(found.state) && found;
    });
    note(`deleted while it started: ${recording.state}, ${recording.seconds} s`);
    assert.deepEqual(
      [recording.id, recording.state, recording['end']],
      [early, recording.seconds > 0 ? 'ready' : 'failed', 'session_ended'],
    );
  });

  test('contains no typed text in any file', { tag: '@main' }, async ({ show, browser }) => {
    const { remote, session } = await show('counter', { kiosk: true, record: true, ...SIZE }, service);
    const viewer = await openViewer(browser, session, { viewport: SIZE });
    await viewer.page.mouse.click(100, 120);
    await remote.event('click');
    await viewer.page.keyboard.type('Xylophon4711');
    await until(
      'the text has arrived',
      async () => (await remote.run('document.querySelector("input").value')) === 'Xylophon4711',
    );
    await service.end(session);
    const recording = await recordings.completeRecordingOf(session);
    for (const name of await readdir(join(directory, recording.id))) {
      const content = await readFile(join(directory, recording.id, name));
      for (const secret of ['Xylophon', 'KeyX', '4711'])
        assert.equal(content.includes(secret), false, `${name} contains ${secret}`);
    }
    const typing = (await eventsOf(recording)).filter(({ type }) => type === 'typing');
    const keys = typing.reduce(
      (sum, { keys = 0, characters = 0 }) => sum + Number(keys) + Number(characters),
      0,
    );
    assert.ok(keys >= 12, `${keys} keys were counted`);
  });

  test('has a playlist of complete segments while it runs, which only grows', async ({ show }) => {
    const { session } = await show('counter', { kiosk: true, record: true, ...SIZE }, service);
    const { id } = await until('it has begun', async () => {
      const recording = await recordings.recordingOf(session);
      return recording.seconds > 0 && recording;
    });
    const headers = { authorization: `Bearer ${service.key}` };
    const playlist = async () =>
      (await fetch(`${service.url}/v0/recordings/${id}/index.m3u8`, { headers })).text();
    const targets = new Set<string | undefined>();
    let known: (string | undefined)[] = [];
    const load = async () => {
      const text = await playlist();
      targets.add(/TARGETDURATION:(\d+)/.exec(text)?.[1]);
      const durations = [...text.matchAll(/#EXTINF:(.+),/g)].map(([, duration]) => duration);
      assert.deepEqual(durations.slice(0, known.length), known);
      const hasGrown = durations.length > known.length;
      known = durations;
      return hasGrown && text;
    };
    for (let n = 0; n < 3; n++)
      assert.doesNotMatch(await until('the playlist has another segment', load), /ENDLIST/);
    await service.end(session);
    await recordings.completeRecordingOf(session);
    assert.match(await until('the playlist has the last segment', load), /ENDLIST/);
    assert.equal(targets.size, 1);
  });

  test('can be started, marked, stopped, fetched in ranges and deleted', async ({ show }) => {
    const { session } = await show('counter', { kiosk: true, ...SIZE }, service);
    const path = `${new URL(session.embed_url).pathname.replace(/\/$/, '')}/recordings`;
    const { body: started } = await service.request('POST', path, { audio: false });
    const { id } = started as Recording;
    await until('it has begun', async () => (await recordings.recordingOf(session)).seconds > 0);
    await service.request('POST', `${path}/${id}/markers`, { name: 'Here' });
    const seconds = (await recordings.recordingOf(session)).seconds;
    await until(
      'the marker is in it',
      async () => (await recordings.recordingOf(session)).seconds > seconds + 1,
    );
    const { body: stopped } = await service.request('POST', `${path}/${id}/stop`, {});
    assert.deepEqual([stopped['state'], stopped['end']], ['ready', 'stopped']);
    const get = (what: string, headers = {}) =>
      fetch(`${service.url}/v0/recordings/${id}/${what}`, {
        headers: { authorization: `Bearer ${service.key}`, ...headers },
      });
    const whole = Buffer.from(await (await get('video.mp4')).arrayBuffer());
    const part = await get('video.mp4', { range: 'bytes=10-19' });
    assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes 10-19/${whole.length}`]);
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), whole.subarray(10, 20));
    const playlist = await (await get('index.m3u8')).text();
    const end = [...playlist.matchAll(/BYTERANGE:(\d+)@(\d+)/g)].at(-1);
    assert.equal(Number(end?.[1]) + Number(end?.[2]), whole.length);
    assert.match(await (await get('chapters.vtt')).text(), /-->.*\nHere\n/);
    await service.request('DELETE', `/v0/recordings/${id}`);
    assert.equal((await get('video.mp4')).status, 404);
    assert.equal((await readdir(directory)).includes(id), false);
  });
});
