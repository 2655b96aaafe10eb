import { join } from 'node:path';
import { FakeRecordedSession, RECORD_ALL, RECORDING_KEY, recordingsIn } from '../../fakes/recording-parts.js';
import { seeded } from '../../support/seeded.js';
import { median } from '../statistics.js';
import { Service } from '../targets/ours.js';
import { withDirectory } from '../viewer.js';
import { GROUP_SECONDS, longVideo, RATE } from './long-video.js';
import { SeekPlayer } from './seek-player.js';
import type { SeekResult } from './seek-table.js';

/** Groups of pictures in a recording of three hours. */
const GROUPS = (3 * 3_600) / GROUP_SECONDS;
const SEEKS = 80;
/** Limit of the size of all recordings in MB. */
const ROOM_MB = 10_240;

/**
 * Measures seeks in a recording of three hours, plain and encrypted, in a Chromium.
 *
 * @param against other builds that read the same recordings
 */
export async function measureSeeks(
  against: readonly string[],
  tell: (text: string) => void,
): Promise<SeekResult[]> {
  return withDirectory(async (directory) => {
    const root = join(directory, 'recordings');
    tell('writing three hours, plain and encrypted … ');
    const written = await write(root);
    tell('done\n');
    const environment = {
      ...{ RECORDINGS_DIR: root, RECORDING_DAYS: '36500', PROFILE_KEY: RECORDING_KEY.toString('hex') },
      WARM_HOSTS: '0',
    };
    const results: SeekResult[] = [];
    for (const build of [undefined, ...against]) {
      const service = await Service.start(directory, environment, build);
      try {
        for (const { id, encrypted } of written) {
          tell(`${SEEKS} seeks in the ${encrypted ? 'encrypted' : 'plain'} recording … `);
          results.push({ build, encrypted, ...(await measure(await service.videoAddress(id))) });
          tell(`median ${median(results.at(-1)?.seeks ?? []).toFixed(0)} ms\n`);
        }
      } finally {
        await service.stop();
      }
    }
    return results;
  });
}

/** Records the same video twice, as the service does when a host sends it. */
async function write(root: string): Promise<{ id: string; encrypted: boolean }[]> {
  const kinds = await Promise.all(
    [false, true].map(async (encrypted) => {
      const { recordings } = await recordingsIn(root, { encrypts: encrypted, maxMb: ROOM_MB });
      const session = new FakeRecordedSession(encrypted ? 'encrypted' : 'plain');
      session.webhook = null;
      const { id } = await recordings.start(session, RECORD_ALL);
      return { id, encrypted, recordings, session };
    }),
  );
  for await (const part of longVideo(GROUPS))
    await Promise.all(kinds.map(async ({ session }) => session.sink?.part(part)));
  for (const { session, recordings, id } of kinds) {
    await session.end();
    await recordings.stop(session.id, id);
    await recordings.close();
    const { state } = await recordings.require(id);
    if (state !== 'ready') throw new Error(`A recording is ${state}.`);
  }
  return kinds.map(({ id, encrypted }) => ({ id, encrypted }));
}

async function measure(address: string): Promise<Omit<SeekResult, 'build' | 'encrypted'>> {
  const size = await sizeOf(address);
  const player = await SeekPlayer.start();
  try {
    const { milliseconds: open, seconds } = await player.open(address);
    if (Math.abs(seconds - GROUPS * GROUP_SECONDS) > 1) throw new Error(`The video has ${seconds} s.`);
    const random = seeded(7);
    const seeks: number[] = [];
    let wrong = 0;
    for (let count = 0; count < SEEKS; count++) {
      const number = Math.floor(random() * GROUPS * GROUP_SECONDS * RATE);
      // The middle of a picture's time.
      const shown = await player.seek((number + 0.5) / RATE);
      seeks.push(shown.milliseconds);
      if (shown.group * GROUP_SECONDS * RATE + shown.nth !== number) wrong += 1;
    }
    return { size, open, seeks, wrong, requests: player.requests, bytes: player.bytes };
  } finally {
    await player.close();
  }
}

async function sizeOf(address: string): Promise<number> {
  const answer = await fetch(address, { headers: { range: 'bytes=0-0' } });
  const [, size] = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '') ?? [];
  await answer.arrayBuffer();
  return Number(size);
}
