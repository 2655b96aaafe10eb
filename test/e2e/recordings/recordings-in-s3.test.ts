import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { probeWarnings } from '../../support/read-video.js';
import { S3Server } from '../../support/s3-server.js';
import { atEnd } from '../support/cleanup.js';
import { Service } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
let s3: S3Server;
let service: Service;
test.beforeAll(async () => {
  s3 = await S3Server.start();
  atEnd(() => s3.stop());
  service = await Service.start(s3.environment);
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

test('a session is recorded while S3 is away, goes on, and its recording is moved when S3 is back', async ({
  pages,
}) => {
  const remote = pages.page('motion');
  const { session_id: id, ...session } = await service.create({ start_url: remote.url, record: true });
  await remote.loaded();
  await until('it is recorded', async () => ((await newest(id))?.seconds ?? 0) > 2);
  await s3.goAway();
  const before = (await newest(id))?.seconds ?? 0;
  await until('it is recorded further', async () => ((await newest(id))?.seconds ?? 0) > before + 3);
  const { id: recording = '' } = (await newest(id)) ?? {};
  const path = `${new URL(session.embed_url).pathname.replace(/\/$/, '')}/recordings/${recording}/stop`;
  const { body: stopped } = await service.request('POST', path, {});
  assert.equal(stopped['state'], 'finalizing');
  assert.equal((await service.view({ session_id: id, ...session }))['state'], 'running');
  await s3.comeBack();
  await until('the recording is moved', async () => (await newest(id))?.state === 'ready');
  const local = await readdir(join(service.directory, 'state', 'recordings'));
  assert.equal(local.includes(recording), false);
  const answer = await fetch(`${service.url}/v0/recordings/${recording}/video.mp4`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  const video = Buffer.from(await answer.arrayBuffer());
  assert.equal((await probeWarnings(video)) ?? '', '');
  await service.end({ session_id: id, ...session });
});
