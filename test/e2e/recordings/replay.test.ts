import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { decodeStill } from '../../support/decode-still.js';
import { decodePictures } from '../../support/decoded-pictures.js';
import { AnsweringServer } from '../support/answering-server.js';
import { RecordingService } from '../support/recording-service.js';
import type { Service } from '../support/service.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 480 };
/** Each bit of the counter is a field of this width. */
const FIELD = 32;

let service: Service;
let directory: string;
test.beforeAll(async () => {
  ({ service, directory } = await RecordingService.start());
});

/** Levels of the 16 fields of the page `counter` in the shown video. */
const fieldsOf = (page: Page) =>
  page.evaluate(
    ({ width, height, field }) => {
      const video = document.querySelector('cloud-browser-replay')?.video;
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext('2d');
      if (!video || !context) throw new Error('There is no video.');
      context.drawImage(video, 0, 0);
      return Array.from({ length: 16 }, (_, bit) => {
        const [red = 0] = context.getImageData(bit * field + field / 2, field, 1, 1).data;
        return red > 127;
      });
    },
    { ...SIZE, field: FIELD },
  );

/** Levels of the 16 fields of the page `counter` in a thumbnail. */
async function thumbnailFields(id: string, time: number): Promise<boolean[]> {
  const start = performance.now();
  const answer = await fetch(
    `${service.url}/v0/recordings/${id}/thumbnail.jpg?t=${time}&width=${SIZE.width}`,
    {
      headers: { authorization: `Bearer ${service.key}` },
    },
  );
  assert.equal(answer.status, 200);
  const picture = await decodeStill(Buffer.from(await answer.arrayBuffer()), 'jpeg');
  note(`the thumbnail took ${(performance.now() - start).toFixed(0)} ms`);
  return Array.from({ length: 16 }, (_, bit) => (picture.at(bit * FIELD + FIELD / 2, FIELD)[0] ?? 0) > 127);
}

test('a page of another origin replays a recording with a token, to the frame', async ({ show, browser }) => {
  const { session } = await show('counter', { kiosk: true, record: true, ...SIZE }, service);
  const list = async () => {
    const { body } = await service.request('GET', `/v0/recordings?session=${session.session_id}`);
    return (body['results'] as { id: string; state: string; seconds: number }[])[0];
  };
  await until('20 seconds are recorded', async () => ((await list())?.seconds ?? 0) > 20);
  const { id = '' } = (await list()) ?? {};
  const path = `${new URL(session.embed_url).pathname.replace(/\/$/, '')}/recordings/${id}`;
  await service.request('POST', `${path}/markers`, { name: 'Here' });
  await service.request('POST', `${path}/stop`, {});
  await service.end(session);
  const seconds = (await list())?.seconds ?? 0;
  const { body: token } = await service.request('POST', `/v0/recordings/${id}/tokens`, { ttl: 600 });
  const html = `<!doctype html><html lang="en"><title>Shop</title>
    <script type="module" src="${service.url}/replay.js"></script>
    <cloud-browser-replay src="${String(token['url'])}" event-list muted></cloud-browser-replay>`;
  // Exactly the policy that replay.md requires of a page.
  const policy = `default-src 'none'; script-src ${service.url}; connect-src ${service.url}; media-src ${service.url}; img-src ${service.url}`;
  const headers = { 'content-type': 'text/html', 'content-security-policy': policy };
  const shop = await AnsweringServer.start((_request, response) => {
    response.writeHead(200, headers).end(html);
  });
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`);
  });
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('video.mp4')) requests.push(request.headers()['range'] ?? '');
  });
  await page.goto(shop.url);
  await page.waitForFunction(
    () => (document.querySelector('cloud-browser-replay')?.video?.readyState ?? 0) > 1,
  );
  // The events arrive after the video.
  await page.waitForFunction(() => document.querySelector('cloud-browser-replay')!.events.length > 0);
  const loaded = await page.evaluate(() => {
    const { duration, events } = document.querySelector('cloud-browser-replay')!;
    return { duration, types: events.map(({ type }) => type) };
  });
  assert.ok(Math.abs(loaded.duration - seconds) < 0.1, `${loaded.duration} instead of ${seconds} s`);
  assert.ok(loaded.types.includes('marker') && loaded.types.includes('navigation'));
  const pictures: { time: number; end: number; fields: boolean[]; clear: boolean }[] = [];
  await decodePictures(join(directory, id, 'video.mp4'), (picture) => {
    const levels = Array.from({ length: 16 }, (_, bit) => picture.luma(bit * FIELD + FIELD / 2, FIELD));
    const before = pictures.at(-1);
    if (before) before.end = picture.time;
    pictures.push({
      ...{ time: picture.time, end: picture.time, fields: levels.map((level) => level > 127) },
      // The page may change while its picture is taken.
      clear: levels.every((level) => level < 80 || level > 175),
    });
  });
  for (const part of [0.8, 0.2, 0.5]) {
    const from = Math.floor(pictures.length * part);
    const wanted = pictures.slice(from).find(({ clear, time, end }) => clear && end - time > 0.05);
    assert.ok(wanted);
    // The middle of a frame's time.
    const time = (wanted.time + wanted.end) / 2;
    const { took, shown } = await page.evaluate(async (target) => {
      const replay = document.querySelector('cloud-browser-replay')!;
      const start = performance.now();
      const frame = new Promise<number>((resolve) =>
        replay.video?.requestVideoFrameCallback((_now, { mediaTime }) => resolve(mediaTime)),
      );
      replay.currentTime = target;
      return { shown: await frame, took: performance.now() - start };
    }, time);
    note(`a seek to ${time.toFixed(2)} s showed ${shown.toFixed(2)} s after ${took.toFixed(0)} ms`);
    assert.ok(shown <= time && shown > wanted.time - 0.001, `${shown} s instead of ${wanted.time} s`);
    assert.deepEqual(await fieldsOf(page), wanted.fields, `the picture at ${time} s`);
    assert.deepEqual(await thumbnailFields(id, time), wanted.fields, `the thumbnail at ${time} s`);
  }
  await page.evaluate(async () => {
    const replay = document.querySelector('cloud-browser-replay')!;
    replay.currentTime = replay.duration - 1;
    const ended = new Promise((resolve) => replay.addEventListener('ended', resolve, { once: true }));
    await replay.play();
    await ended;
  });
  assert.deepEqual(complaints, []);
  note(`${requests.length} requests for the video: ${requests.join(' ')}`);

  // A plain video and a page without a token.
  await page.setContent(`<video muted src="${String(token['video_url'])}"></video>`);
  await page.waitForFunction(() => document.querySelector('video')!.readyState > 1);
  await service.request('DELETE', `/v0/recordings/${id}/tokens/${String(token['token_id'])}`);
  await page.goto(shop.url);
  await page.waitForFunction(() => document.querySelector('cloud-browser-replay')?.state === 'failed');
  const shown = await page.locator('cloud-browser-replay [role=alert]').innerText();
  assert.match(shown, /No access/);
  await page.close();
  assert.ok((await readFile(join(directory, id, 'video.mp4'))).length > 0);
});
