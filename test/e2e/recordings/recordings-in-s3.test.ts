import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { WebhookReceiver } from '../../fakes/webhook-receiver.js';
import { probeWarnings } from '../../support/read-video.js';
import { S3Server } from '../../support/s3-server.js';
import { atEnd } from '../support/cleanup.js';
import { Service } from '../support/service.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
/** Seconds of a recording during which the store does not answer. */
const OUTAGE_SECONDS = Number(process.env['STORE_OUTAGE_SECONDS'] ?? 60);
/** Milliseconds until the service tries again after an outage, and until the store has everything. */
const RETRY_MS = 60_000;
let s3: S3Server;
let service: Service;
test.beforeAll(async () => {
  s3 = await S3Server.start();
  atEnd(() => s3.stop());
  service = await Service.start({ ...s3.environment, EGRESS_ALLOW: '127.0.0.1' });
});

interface Listed {
  id: string;
  state: string;
  seconds: number;
}

const newest = async (session: string) => {
  const { body } = await service.request('GET', `/v0/recordings?session=${session}`);
  return (body['results'] as Listed[])[0];
};

const pathOf = ({ embed_url: url }: { embed_url: string }) =>
  `${new URL(url).pathname.replace(/\/$/, '')}/recordings`;

async function videoOf(id: string): Promise<Buffer> {
  const answer = await fetch(`${service.url}/v0/recordings/${id}/video.mp4`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  assert.equal(answer.status, 200);
  return Buffer.from(await answer.arrayBuffer());
}

test('an outage of the store costs nothing: its recordings are ready and reported when the store is back', async ({
  show,
}) => {
  const receiver = await WebhookReceiver.open();
  atEnd(() => receiver.close());
  const reported = () =>
    receiver.received
      .map(({ body }) => JSON.parse(body) as { type: string; recording_id?: string; end?: string })
      .filter(({ type }) => type.startsWith('recording.'));
  const webhook = { url: receiver.url, bearer: 'b' };
  const { session } = await show('motion', { record: true, timeout: { absolute: 3_600, webhook } }, service);
  const { session_id: id } = session;
  await until('it is recorded', async () => ((await newest(id))?.seconds ?? 0) > 2);
  await s3.goAway();
  const away = performance.now();
  // One recording ends during the outage, so that its move fails again and again. Another one runs.
  const { id: first = '' } = (await newest(id)) ?? {};
  await service.request('POST', `${pathOf(session)}/${first}/stop`, {});
  const { body: started } = await service.request('POST', pathOf(session), {});
  const second = String(started['id']);
  await until(
    `${OUTAGE_SECONDS} s are recorded without the store`,
    async () => ((await newest(id))?.seconds ?? 0) > OUTAGE_SECONDS,
    OUTAGE_SECONDS * 1_000 + RETRY_MS,
  );
  note(`the store did not answer for ${((performance.now() - away) / 1_000).toFixed(0)} s`);
  assert.equal((await service.view(session))['state'], 'running');
  assert.equal((await service.request('GET', `/v0/recordings/${first}`)).body['state'], 'finalizing');
  assert.equal((await probeWarnings(await videoOf(first))) ?? '', '', 'it plays before it is moved');
  assert.deepEqual(reported(), []);
  await s3.comeBack();
  await service.request('POST', `${pathOf(session)}/${second}/stop`, {});
  await until('both recordings are reported', () => reported().length === 2, RETRY_MS);
  assert.deepEqual(
    reported()
      .map(({ type, recording_id: recording, end }) => [recording, type, end])
      .sort(),
    [first, second].sort().map((recording) => [recording, 'recording.ready', 'stopped']),
  );
  const local = await readdir(join(service.directory, 'state', 'recordings'));
  for (const recording of [first, second]) {
    assert.equal((await service.request('GET', `/v0/recordings/${recording}`)).body['state'], 'ready');
    assert.equal(local.includes(recording), false, 'it is in the store');
    assert.equal((await probeWarnings(await videoOf(recording))) ?? '', '');
  }
});
