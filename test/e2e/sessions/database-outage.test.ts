import assert from 'node:assert/strict';
import { setTimeout as pass } from 'node:timers/promises';
import { freePort } from '../../cluster/support/nodes.js';
import { TestPostgres } from '../../database/support/postgres.js';
import { hold } from '../../support/limits.js';
import { atEnd } from '../support/cleanup.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { RawViewer } from '../support/raw-viewer.js';
import { Service } from '../support/service.js';
import { until } from '../support/until.js';

cleanUpAtEnd();

/** Length of the outage. The service promises to work for OUTAGE_SECONDS=60. */
const OUTAGE_MS = Number(process.env['OUTAGE_SECONDS'] ?? 6) * 1_000;
/** Pause between two create requests during the outage. */
const CREATE_INTERVAL_MS = 1_000;
const FPS = 30;

/** Frames per second that a viewer received during some work. Refinements of a frame do not count. */
async function rateDuring(viewer: RawViewer, work: () => Promise<void>): Promise<number> {
  const first = viewer.packets.length;
  const begun = performance.now();
  await work();
  const frames = viewer.packets.slice(first).filter(({ refinement }) => !refinement);
  return frames.length / ((performance.now() - begun) / 1_000);
}

/** Returns the length of an ended session from its record, in seconds. */
async function secondsOf(postgres: TestPostgres, sessionId: string): Promise<number> {
  const [row] = await postgres.sql(
    `select record from sessions where id = '${sessionId}'`,
    postgres.url('test_1'),
  );
  const record = JSON.parse(String(row?.['record'])) as { ended?: { seconds: number } };
  return record.ended?.seconds ?? NaN;
}

test.describe('a session whose service loses its database', { tag: ['@timing', '@alone'] }, () => {
  test('can still be watched and joined, and its usage is counted to the second', async ({ pages }) => {
    const postgres = await TestPostgres.start();
    atEnd(() => postgres.stop());
    const service = await Service.start({
      DATABASE_URL: await postgres.createDatabase(),
      CLUSTER_SECRET: 'a secret of a test, which has to be long',
      PORT: String(await freePort()),
    });
    const remote = pages.page('motion');
    const asked = performance.now();
    const session = await service.create({ start_url: remote.url, width: 800, height: 600, fps: FPS });
    const created = performance.now();
    await remote.loaded();
    const viewer = await RawViewer.open(session);
    await until('frames come', () => viewer.packets.length > FPS);
    const before = await rateDuring(viewer, () => pass(OUTAGE_MS / 2));

    await postgres.freeze();
    const refusals: number[] = [];
    let joined = 0;
    const during = await rateDuring(viewer, async () => {
      for (const end = performance.now() + OUTAGE_MS; performance.now() < end;) {
        const tried = performance.now();
        const { status, body } = await service.request('POST', '/v0/vm', {});
        refusals.push(performance.now() - tried);
        assert.deepEqual([status, body['code']], [503, 'err_database']);
        const late = await RawViewer.open(session);
        await until('a late viewer is shown something', () => late.packets.length > 0);
        late.close();
        joined++;
        await pass(CREATE_INTERVAL_MS);
      }
    });
    await postgres.thaw();
    const thawed = performance.now();
    const next = await until('a session can be created', async () => {
      const { status, body } = await service.request('POST', '/v0/vm', {});
      return status === 200 && String(body['session_id']);
    });
    const recovery = performance.now() - thawed;
    hold(
      'frames that viewers keep without the database',
      (100 * during) / before,
      `${joined} joined meanwhile`,
    );
    hold('a create without the database is refused', Math.max(...refusals));
    hold('creates are taken when the database is back', recovery);

    const told = performance.now();
    await service.end(session);
    const ended = performance.now();
    await service.request('DELETE', `/v0/vm/${next}`);
    const counted = await secondsOf(postgres, session.session_id);
    assert.ok(counted >= (told - created) / 1_000 && counted <= (ended - asked) / 1_000, `${counted} s`);
    const { body } = await service.request('GET', '/v0/vm/usage');
    const [month] = body['usage'] as { seconds: number }[];
    assert.equal(month?.seconds, Math.round(counted + (await secondsOf(postgres, next))));
    assert.equal(viewer.closed?.reason, 'request');
  });
});
