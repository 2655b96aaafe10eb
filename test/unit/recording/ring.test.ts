import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { FileOutput } from '../../../server/src/host/features/recording/file-output.js';
import { MAX_EVENTS, RingEvents } from '../../../server/src/host/features/recording/ring/ring-events.js';
import { MAX_RING_BYTES, RingOutput } from '../../../server/src/host/features/recording/ring/ring-output.js';
import type { RecorderOutput } from '../../../server/src/host/features/recording/recorder-output.js';
import { PartReader, type RecordingPart } from '../../../server/src/recording-protocol.js';
import { packetsOf, probeWarnings } from '../../support/read-video.js';
import { TestStream } from '../../support/test-stream.js';

const SIZE = { codedWidth: 64, codedHeight: 64 };
const KEY = Uint8Array.of(1);
const OTHER = Uint8Array.of(2);

/** An output that lists what it gets. */
function listed(): { output: RecorderOutput; got: string[] } {
  const got: string[] = [];
  const output: RecorderOutput = {
    isLate: false,
    picture: ({ keyFrame, time }, { codedWidth }) =>
      void got.push(`${keyFrame ? 'key' : 'picture'} ${time} ${codedWidth}`),
    sound: (_data, time) => void got.push(`sound ${time}`),
    event: (json) => void got.push(json),
    tick: () => undefined,
    end: () => Promise.resolve(),
  };
  return { output, got };
}

/** Fills a ring with pictures every 500 ms, of which each tenth is a key frame. */
function fill(ring: RingOutput, until: number): void {
  for (let time = 0; time <= until; time += 500) {
    const keyFrame = time % 5_000 === 0;
    ring.picture({ data: keyFrame ? KEY : OTHER, keyFrame, time }, SIZE);
    ring.sound(OTHER, time + 100);
  }
}

describe('a ring', () => {
  it('has the requested seconds, from the key frame before them', () => {
    const ring = new RingOutput(7_000);
    fill(ring, 21_500);
    const { output, got } = listed();
    // The key frame at 10 s is the newest one that is at least 7 s old.
    assert.equal(ring.writeTo(output, 21_700), 11_700);
    assert.deepEqual(got.slice(0, 3), ['key 0 64', 'sound 100', 'picture 500 64']);
    assert.equal(got.filter((each) => each.startsWith('key')).length, 3);
    assert.deepEqual(got.slice(-2), ['picture 11500 64', 'sound 11600']);
    const again = listed();
    ring.writeTo(again.output, 21_700);
    assert.deepEqual(again.got, got);
  });

  it('leaves out sound that was made before its first picture', () => {
    const ring = new RingOutput(7_000);
    ring.picture({ data: KEY, keyFrame: true, time: 0 }, SIZE);
    ring.picture({ data: KEY, keyFrame: true, time: 5_000 }, SIZE);
    for (const time of [4_960, 4_980, 5_000]) ring.sound(OTHER, time);
    ring.picture({ data: KEY, keyFrame: true, time: 12_000 }, SIZE);
    const { output, got } = listed();
    ring.writeTo(output, 12_000);
    assert.deepEqual(got, ['key 0 64', 'sound 0', 'key 7000 64']);
  });

  it('has nothing before the first key frame, and after its end', async () => {
    const ring = new RingOutput(7_000);
    ring.sound(OTHER, 0);
    ring.picture({ data: OTHER, keyFrame: false, time: 0 }, SIZE);
    const before = listed();
    assert.equal(ring.writeTo(before.output, 100), 0);
    fill(ring, 1_000);
    await ring.end();
    ring.writeTo(before.output, 1_100);
    assert.deepEqual(before.got, []);
  });

  it('has fewer seconds if the pictures are large, and continues after a group that is too large', () => {
    const ring = new RingOutput(60_000);
    const data = new Uint8Array(MAX_RING_BYTES / 4);
    for (let time = 0; time < 10; time++) ring.picture({ data, keyFrame: true, time }, SIZE);
    const large = listed();
    assert.equal(ring.writeTo(large.output, 10), 4);
    for (let time = 10; time < 20; time++) ring.picture({ data, keyFrame: false, time }, SIZE);
    const none = listed();
    assert.equal(ring.writeTo(none.output, 20), 0);
    assert.deepEqual(none.got, []);
    ring.picture({ data: KEY, keyFrame: true, time: 20 }, SIZE);
    ring.writeTo(none.output, 20);
    assert.deepEqual(none.got, ['key 0 64']);
  });

  it('becomes a file that ffprobe reads without a warning', async () => {
    const ring = new RingOutput(2_000);
    const stream = new TestStream(320, 240);
    const size = { codedWidth: 320, codedHeight: 240 };
    for (let n = 0; n < 60; n++)
      ring.picture({ data: stream.frame(n % 10 === 0), keyFrame: n % 10 === 0, time: n * 100 }, size);
    stream.close();
    const reader = new PartReader();
    const parts: RecordingPart[] = [];
    const file = new FileOutput({
      ...{ number: 3, audio: true, onFailure: () => undefined },
      channel: {
        writableLength: 0,
        write: (message, done) => {
          parts.push(...reader.push(Buffer.from(message)).map(({ part }) => part));
          done?.();
        },
      },
    });
    ring.event(JSON.stringify({ t: 5.5, type: 'marker', name: 'Here' }));
    await file.end(ring.writeTo(file, 6_000), 'stopped');
    const video = Buffer.concat(
      parts.flatMap(({ type, data }) => (type === 'init' || type === 'fragment' ? [data] : [])),
    );
    assert.ok(['', undefined].includes(await probeWarnings(video)));
    const pictures = (await packetsOf(video)).filter(({ codec }) => codec === 'video');
    // The key frame at 4 s is not two seconds old at 5.9 s, so the one at 3 s is the first.
    assert.deepEqual([pictures.length, pictures[0]?.time, pictures[0]?.keyFrame], [30, 0, true]);
    const event = parts.find(({ type }) => type === 'event');
    assert.deepEqual(JSON.parse(String(event?.data)), { t: 2.5, type: 'marker', name: 'Here' });
    assert.deepEqual([parts.at(-1)?.type, String(parts.at(-1)?.data)], ['end', 'stopped']);
  });
});

describe('events of a ring', () => {
  let events: RingEvents;
  beforeEach(() => (events = new RingEvents()));

  const add = (t: number, type: string, others: object = {}) =>
    events.add(JSON.stringify({ t, type, ...others }));
  /** The events from a time on, each as its time and kind. */
  const eventsSince = (time: number) =>
    events.since(time).map((json) => {
      const { t, type, ...others } = JSON.parse(json) as Record<string, unknown>;
      return [t, type, ...Object.values(others)];
    });

  it('have times of the new recording, and start with what is still true', () => {
    add(0, 'user_joined', { user: 'ann' });
    add(0, 'user_joined', { user: 'bob' });
    add(0, 'control_gained', { user: 'bob' });
    add(1, 'tab_opened', { tab: 'A' });
    add(1, 'tab_opened', { tab: 'B' });
    add(1, 'navigation', { tab: 'A', url: 'https://one.example/' });
    add(2, 'navigation', { tab: 'A', url: 'https://two.example/' });
    add(2, 'navigation', { tab: 'B', url: 'https://three.example/' });
    add(3, 'click', { user: 'ann' });
    add(4, 'tab_closed', { tab: 'B' });
    add(4, 'user_left', { user: 'bob' });
    add(11, 'click', { user: 'ann' });
    events.forgetBefore(10);
    assert.deepEqual(eventsSince(10), [
      [0, 'user_joined', 'ann'],
      [0, 'tab_opened', 'A'],
      [0, 'navigation', 'A', 'https://two.example/'],
      [1, 'click', 'ann'],
    ]);
  });

  it('do not start with tabs and dialogs of a browser that has ended', () => {
    add(0, 'user_joined', { user: 'ann' });
    add(0, 'size', { width: 640, height: 480 });
    add(1, 'tab_opened', { tab: 'A' });
    add(1, 'navigation', { tab: 'A', url: 'https://one.example/' });
    add(1, 'title', { tab: 'A', title: 'One' });
    add(1, 'tab_activated', { tab: 'A' });
    add(2, 'dialog_opened', { dialog: 'alert' });
    add(3, 'browser_ended');
    add(4, 'browser_started');
    add(4, 'tab_opened', { tab: 'B' });
    add(11, 'click', { user: 'ann' });
    events.forgetBefore(10);
    assert.deepEqual(eventsSince(10), [
      [0, 'user_joined', 'ann'],
      [0, 'size', 640, 480],
      [0, 'tab_opened', 'B'],
      [1, 'click', 'ann'],
    ]);
  });

  it('are bounded, also without a key frame', () => {
    for (let n = 0; n < 3 * MAX_EVENTS; n++) add(n, 'title', { tab: 'A' });
    const kept = eventsSince(0);
    assert.ok(kept.length <= MAX_EVENTS + 1, `${kept.length}`);
    assert.equal(kept.at(-1)?.[0], 3 * MAX_EVENTS - 1);
  });
});
