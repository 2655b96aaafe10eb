import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { probeWarnings } from '../../support/read-video.js';
import { countsIn } from '../support/recorded-counter.js';
import { RecordingService, type Recording } from '../support/recording-service.js';
import type { Service, Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';
import { openViewer } from '../support/viewers.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 480 };
/** Seconds of the ring. The counter changes all the time, so key frames are at most 15 seconds older. */
const RING = 3;

let recordings: RecordingService;
let service: Service;
test.beforeAll(async () => {
  recordings = await RecordingService.start();
  ({ service } = recordings);
});

async function keep(session: Session): Promise<Recording> {
  const { pathname } = new URL(session.embed_url);
  const { status, body } = await service.request('POST', `${pathname}/recordings`, { from: 'ring' });
  assert.equal(status, 200, JSON.stringify(body));
  return body as unknown as Recording;
}

const fileOf = ({ id }: Recording, name: string) => join(recordings.directory, id, name);

async function typesOf(recording: Recording): Promise<Set<unknown>> {
  const lines = (await readFile(fileOf(recording, 'events.jsonl'), 'utf8')).trim().split('\n');
  return new Set(lines.map((line) => (JSON.parse(line) as { type: unknown }).type));
}

test.describe('a session with a ring', () => {
  // Proves: record
  test(
    'records its last seconds on request, again and again, and tells its viewers',
    { tag: '@main' },
    async ({ show, browser }) => {
      const record = { ring: RING, audio: false };
      const { remote, session } = await show('counter', { kiosk: true, record, ...SIZE }, service);
      const viewer = await openViewer(browser, session, { viewport: SIZE });
      await viewer.page.locator('[part=recording]').waitFor();
      assert.equal(
        (await recordings.recordingsOf(session)).length,
        0,
        'nothing is recorded before a request',
      );
      await viewer.page.mouse.click(300, 300);
      await remote.event('click');
      let last: Recording | undefined;
      await until('a recording has the seconds of the ring', async () => {
        last = await keep(session);
        return last.state === 'ready' && last.seconds >= RING;
      });
      assert.ok(last);
      assert.ok(last.seconds < RING + 20, `${last.seconds} s`);
      assert.equal(last.end, 'stopped');
      assert.ok(['', undefined].includes(await probeWarnings(await readFile(fileOf(last, 'video.mp4')))));
      const counts = await countsIn(fileOf(last, 'video.mp4'));
      assert.ok(counts.length > 10, `${counts.length} pictures`);
      const back = counts.filter(({ count }, index) => count < (counts[index - 1]?.count ?? 0));
      assert.deepEqual(back, [], 'the counter goes back');
      const types = await typesOf(last);
      for (const type of ['user_joined', 'tab_opened', 'navigation']) assert.ok(types.has(type), type);
      await viewer.close();
    },
  );

  test('fills its ring again after a recording, and refuses a request without one', async ({ show }) => {
    const { session } = await show('counter', { record: { ring: RING }, ...SIZE }, service);
    const { pathname } = new URL(session.embed_url);
    const started = await service.request('POST', `${pathname}/recordings`, {});
    const { id } = started.body as unknown as Recording;
    const refused = await service.request('POST', `${pathname}/recordings`, { from: 'ring' });
    assert.equal(refused.body['code'], 'err_recording_running');
    await until('the recording has begun', async () => (await recordings.recordingOf(session)).seconds > 1);
    const stopped = await service.request('POST', `${pathname}/recordings/${id}/stop`, {});
    assert.equal(stopped.status, 200);
    await until('the ring has pictures again', async () => (await keep(session)).state === 'ready');
  });

  test('is refused with other limits, and with settings beside the request', async () => {
    const wrong = await service.request('POST', '/v0/vm', { record: { ring: 60, max_mb: 5 } });
    assert.equal(wrong.body['code'], 'err_invalid_parameter');
    const session = await service.create({ record: true });
    const { pathname } = new URL(session.embed_url);
    for (const body of [{ from: 'ring', fps: 5 }, { from: 'start' }]) {
      const answer = await service.request('POST', `${pathname}/recordings`, body);
      assert.equal(answer.body['code'], 'err_invalid_parameter', JSON.stringify(answer.body));
    }
    const none = await service.request('POST', `${pathname}/recordings`, { from: 'ring' });
    assert.equal(none.body['code'], 'err_no_ring');
    await service.end(session);
  });
});
