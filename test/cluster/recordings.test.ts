import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { probeWarnings } from '../support/read-video.js';
import {
  fetchRecording,
  recordingIn,
  recordingOf,
  type RecordingAnswer,
} from '../support/recording-answers.js';
import { S3Server } from '../support/s3-server.js';
import { until } from '../walk/deadline.js';
import { ask, create } from './support/customer.js';
import { clusterFixture } from './support/fixture.js';
import type { NodeProcess } from './support/nodes.js';

const LIMIT_MS = 60_000;
const SECONDS = 60;
const s3 = await S3Server.start();
const cluster = clusterFixture(3, s3.environment);
after(() => s3.stop());

/** Starts a recorded session. Resolves when all of the scripted video is recorded. */
async function recorded(): Promise<{ session: string; recording: RecordingAnswer; owner: NodeProcess }> {
  const { all } = cluster.nodes;
  const { session_id: session } = await create(all[0]?.url ?? '', { record: true });
  const { id } = await recordingIn(all[0]?.url ?? '', session, 'recording');
  let owner: NodeProcess | undefined;
  for (const node of all) {
    const names = await readdir(join(node.directory, 'state', 'recordings')).catch((): string[] => []);
    if (names.includes(id)) owner = node;
  }
  assert.ok(owner, 'no node has the files');
  const recording = await until('all is recorded', LIMIT_MS, async () => {
    const found = await recordingOf(owner.url, session);
    return found && found.seconds >= SECONDS - 0.1 ? found : undefined;
  });
  return { session, recording, owner };
}

/** Checks that a node reads all files of a recording. */
async function assertReads(base: string, { id }: RecordingAnswer): Promise<void> {
  const { status, content: video } = await fetchRecording(base, `${id}/video.mp4`);
  assert.equal(status, 200);
  assert.equal((await probeWarnings(video)) ?? '', '');
  const part = await fetchRecording(base, `${id}/video.mp4`, { range: 'bytes=5000-5999' });
  assert.deepEqual([part.status, part.content.equals(video.subarray(5_000, 6_000))], [206, true]);
  assert.match(String((await fetchRecording(base, `${id}/events`)).content), /"user":"ann"/);
  assert.match(String((await fetchRecording(base, `${id}/index.m3u8`)).content), /#EXT-X-ENDLIST/);
}

const others = (owner: NodeProcess) => cluster.nodes.all.filter((node) => node !== owner);

describe('three nodes with recordings in S3', () => {
  it('read a recording whose node was killed, and delete it', async () => {
    const { session, recording, owner } = await recorded();
    await ask(owner.url, 'DELETE', `/v0/vm/${session}`);
    await recordingIn(owner.url, session, 'ready');
    await owner.kill();
    const [b, c] = others(owner);
    assert.ok(b && c);
    await assertReads(b.url, recording);
    await assertReads(c.url, recording);
    const users = await ask(c.url, 'GET', '/v0/recordings?user=ann');
    assert.equal((users.body as { results: unknown[] }).results.length, 1);
    assert.equal((await ask(c.url, 'DELETE', `/v0/recordings/${recording.id}`)).status, 200);
    assert.equal((await fetchRecording(b.url, `${recording.id}/video.mp4`)).status, 404);
    const left = (await readdir(s3.data, { recursive: true })).filter((name) => name.includes(recording.id));
    assert.deepEqual(
      left.filter((name) => name.includes('video')),
      [],
    );
    await owner.start();
  });

  it('read a recording after its node returns, if node and store were away', async () => {
    const { session, recording, owner } = await recorded();
    await s3.goAway();
    await owner.kill();
    await owner.start();
    const { end } = await recordingIn(owner.url, session, 'finalizing');
    assert.equal(end, 'interrupted');
    const [other] = others(owner);
    assert.ok(other);
    await s3.comeBack();
    const { seconds } = await recordingIn(other.url, session, 'ready');
    assert.ok(seconds >= recording.seconds);
    await assertReads(other.url, recording);
  });
});
