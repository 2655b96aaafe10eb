/** Other seeds: KILLED_RECORDINGS_SEED=8 node --import tsx --test test/processes/killed-recordings.test.ts */
import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { create } from '../cluster/support/customer.js';
import { freePort, NodeProcess } from '../cluster/support/nodes.js';
import { WebhookReceiver } from '../fakes/webhook-receiver.js';
import { packetsOf, probeWarnings } from '../support/read-video.js';
import { fetchRecording, recordingIn, recordingOf } from '../support/recording-answers.js';
import { seeded } from '../support/seeded.js';
import { pause, until } from '../walk/deadline.js';

/** Kills of each part. */
const MOMENTS = Number(process.env['KILLED_RECORDINGS'] ?? 15);
const SEED = Number(process.env['KILLED_RECORDINGS_SEED'] ?? 7);
/** A scripted host sends 60 seconds of video in this time. */
const LONGEST_MS = 900;
const LIMIT_MS = 60_000;

let directory: string;
let endpoint: WebhookReceiver;
let node: NodeProcess;
const random = seeded(SEED);

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cloud-browser-killed-recordings-'));
  // The users of sessions pass through.
  await chmod(directory, 0o711);
  endpoint = await WebhookReceiver.open();
  node = new NodeProcess('alone', await freePort(), directory, {
    ...{ CLUSTER_SECRET: '', NODE_NAME: '', CREATES_PER_MINUTE: '100000' },
  });
  await node.start();
});
after(async () => {
  await node.stop();
  await endpoint.close();
  await rm(directory, { recursive: true, force: true });
});

/** Process ids of the session hosts of the node. */
async function hosts(): Promise<number[]> {
  const found: number[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    // A process may end meanwhile.
    const [command, status] = await Promise.all(
      ['cmdline', 'status'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
    );
    const parent = Number(/^PPid:\s*(\d+)/m.exec(status ?? '')?.[1]);
    if (command?.includes('scripted-host.mjs') && parent === node.pid) found.push(Number(pid));
  }
  return found;
}

const KILLS = {
  'the service': async () => {
    await node.kill();
    await node.start();
  },
  'the host': async () => {
    for (const pid of await hosts()) process.kill(pid, 'SIGKILL');
  },
};

/** Starts a recorded session, and kills a part of it at a random moment. Checks the rest of the recording. */
async function strike(kill: () => Promise<void>): Promise<{ seen: number; kept: number; state: string }> {
  const webhook = { url: endpoint.url, bearer: 'b' };
  const session = await create(node.url, { record: true, timeout: { absolute: 3_600, webhook } });
  const id = session.session_id;
  await until(
    'the session is recorded',
    LIMIT_MS,
    async () => (await recordingOf(node.url, id)) !== undefined,
  );
  await pause(random() * LONGEST_MS);
  const seen = (await recordingOf(node.url, id))?.seconds ?? 0;
  await kill();
  const recording = await recordingIn(node.url, id, 'ready', 'failed');
  const { seconds: kept, state, end } = recording;
  assert.ok(kept >= seen, `${kept} of ${seen} seconds were kept`);
  assert.deepEqual([state, end], [kept > 0 ? 'ready' : 'failed', 'interrupted']);
  if (state === 'ready') await assertPlays(recording.id, kept);
  await until('the customer gets the event', LIMIT_MS, () =>
    endpoint.received.some(({ body }) => {
      const event = JSON.parse(body) as { type: string; recording_id?: string };
      return event.recording_id === recording.id && event.type === `recording.${state}`;
    }),
  );
  return { seen, kept, state };
}

/** Checks that the files of a recording are complete up to this second. */
async function assertPlays(id: string, seconds: number): Promise<void> {
  const { content: video } = await fetchRecording(node.url, `${id}/video.mp4`);
  assert.equal((await probeWarnings(video)) ?? '', '');
  const last = (await packetsOf(video)).at(-1);
  const end = (last?.time ?? 0) + (last?.duration ?? 0);
  assert.ok(Math.abs(end - seconds) < 0.1, `the video has ${end} of ${seconds} seconds`);
  const { content: events } = await fetchRecording(node.url, `${id}/events`);
  for (const line of String(events).trimEnd().split('\n')) JSON.parse(line);
  const { content: playlist } = await fetchRecording(node.url, `${id}/index.m3u8`);
  assert.match(String(playlist), /#EXT-X-ENDLIST/);
}

describe('a recording', () => {
  for (const [part, kill] of Object.entries(KILLS))
    it(`plays up to its last fragment after ${part} was killed, at ${MOMENTS} moments`, async (test) => {
      for (let nth = 0; nth < MOMENTS; nth++) {
        const { seen, kept, state } = await strike(kill);
        test.diagnostic(`${nth + 1}: ${seen.toFixed(1)} s seen, ${kept.toFixed(1)} s kept, ${state}`);
      }
    });
});
