import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { FileOutput } from '../../../server/src/host/features/recording/file-output.js';
import {
  KEY_FRAME_MS,
  KEY_FRAME_PICTURES,
} from '../../../server/src/host/features/recording/key-frame-schedule.js';
import { Recorder, REFRESH_MS } from '../../../server/src/host/features/recording/recorder.js';
import { RingOutput } from '../../../server/src/host/features/recording/ring/ring-output.js';
import { titleCard } from '../../../server/src/host/features/recording/title-card.js';
import { PartReader, type RecordingPart } from '../../../server/src/recording-protocol.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { packetsOf, probeWarnings } from '../../support/read-video.js';
import { TestStream } from '../../support/test-stream.js';

const AREA = { x: 0, y: 0, width: 64, height: 64 };
const INFO = { type: 'stream', stream: 1, media: 'h264', codec: 'avc1.42c01e' } as const;

const streams: TestStream[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

/** A stream that is closed after the test. */
function streamOf(width: number, height: number): TestStream {
  const stream = new TestStream(width, height);
  streams.push(stream);
  return stream;
}

/** @param ring output of the recorder. Default: a file */
function setUp({
  audio = false,
  fps = 5,
  maxSeconds = null as number | null,
  ring = null as RingOutput | null,
} = {}) {
  const clock = new ManualClock();
  const reader = new PartReader();
  const parts: RecordingPart[] = [];
  const state = {
    watched: false,
    unsent: 0,
    keyFrames: 0,
    refreshes: 0,
    acknowledged: 0,
    readyWhenAcknowledged: false,
    ends: [] as string[],
  };
  const recorder = new Recorder({
    settings: { audio, fps, maxSeconds },
    clock,
    output:
      ring ??
      new FileOutput({
        ...{ number: 1, audio },
        channel: {
          write: (message, done) => {
            parts.push(...reader.push(Buffer.from(message)).map(({ part }) => part));
            done?.();
          },
          get writableLength() {
            return state.unsent;
          },
        },
        onFailure: () => state.ends.push('storage'),
      }),
    streams: {
      add: () => undefined,
      remove: () => undefined,
      acknowledged: () => {
        state.acknowledged += 1;
        state.readyWhenAcknowledged = recorder.ready;
      },
      requestKeyFrame: () => void (state.keyFrames += 1),
      refresh: () => void (state.refreshes += 1),
    },
    isWatched: () => state.watched,
    makeCard: titleCard,
    onEnd: (reason) => state.ends.push(reason),
    onSize: () => undefined,
  });
  let number = 0;
  const show = (stream: TestStream) =>
    recorder.send({
      ...INFO,
      ...{ width: stream.width, height: stream.height },
      ...{ codedWidth: stream.width, codedHeight: stream.height },
    });
  /** @param age milliseconds since the capture of the frame */
  const frame = (stream: TestStream, keyFrame: boolean, age = 0) =>
    recorder.sendFrame('video', 1, {
      ...{ data: stream.frame(keyFrame), keyFrame, number: ++number, refinement: false, area: AREA },
      captureTime: (Math.floor((clock.now() - age) * 1000) + 2 ** 32) % 2 ** 32,
    });
  const file = () =>
    Buffer.concat(parts.filter(({ type }) => type === 'init' || type === 'fragment').map(({ data }) => data));
  const types = () => parts.map(({ type }) => type);
  return { clock, recorder, parts, state, show, frame, file, types };
}

/** A recorder that has received the first picture of a stream. */
function withPicture(options?: Parameters<typeof setUp>[0], width = 64, height = 64) {
  const recording = setUp(options);
  const stream = streamOf(width, height);
  recording.show(stream);
  recording.frame(stream, true);
  return { ...recording, stream };
}

describe('the recorder', () => {
  it('writes a file that ffprobe reads without a warning, also when the size changes', async () => {
    const { clock, recorder, parts, show, frame, file } = setUp({ audio: true });
    const small = streamOf(320, 240);
    const large = streamOf(400, 300);
    show(small);
    for (let n = 0; n < 30; n++) {
      frame(small, n % 15 === 0);
      clock.advance(100);
    }
    show(large);
    for (let n = 0; n < 20; n++) {
      frame(large, n === 0);
      clock.advance(100);
    }
    await recorder.end('stopped');
    assert.equal(parts.at(-1)?.type, 'end');
    const packets = await packetsOf(file());
    const video = packets.filter(({ codec }) => codec === 'video');
    assert.equal(video.length, 50);
    assert.deepEqual(
      video.map(({ time }) => Math.round(time * 10)),
      video.map((_, index) => index),
    );
    assert.deepEqual(
      video.flatMap(({ keyFrame }, index) => (keyFrame ? [index] : [])),
      [0, 15, 30],
    );
    assert.ok(packets.some(({ codec }) => codec === 'audio'));
    assert.ok(['', undefined].includes(await probeWarnings(file())));
  });

  it('begins at the request when the first picture was captured long before', async () => {
    const { clock, recorder, state, show, frame, file } = setUp({ maxSeconds: 10 });
    const stream = streamOf(64, 64);
    show(stream);
    frame(stream, true, 25_000);
    assert.equal(recorder.time, 0);
    clock.advance(5_000);
    assert.deepEqual([recorder.time, state.ends], [5_000, []]);
    frame(stream, false);
    await recorder.end('stopped');
    const times = (await packetsOf(file())).map(({ time }) => time);
    assert.deepEqual(times, [0, 5]);
  });

  it('waits for a key frame', async () => {
    const { recorder, show, frame, types } = setUp();
    const stream = streamOf(64, 64);
    stream.frame(true);
    show(stream);
    frame(stream, false);
    await recorder.end('stopped');
    assert.deepEqual(types(), ['end']);
  });

  it('writes a file that plays when it is ended at once after its first picture', async () => {
    const { recorder, file, types } = withPicture({ audio: true });
    await recorder.end('session_ended');
    assert.deepEqual(types(), ['init', 'fragment', 'end']);
    const [first, ...others] = (await packetsOf(file())).filter(({ codec }) => codec === 'video');
    assert.deepEqual([first?.time, first?.keyFrame, others.length], [0, true, 0]);
    assert.ok(['', undefined].includes(await probeWarnings(file())));
  });

  it('takes frames at its own rate without viewers, and leaves the pace to them otherwise', async () => {
    const { clock, recorder, state, show, frame } = setUp({ fps: 5 });
    const stream = streamOf(64, 64);
    assert.equal(recorder.ready, true);
    show(stream);
    frame(stream, true);
    assert.equal(recorder.ready, false);
    clock.advance(200);
    assert.equal(recorder.ready, true);
    assert.equal(state.acknowledged, 1);
    state.watched = true;
    assert.equal(recorder.ready, false);
    clock.advance(5_000);
    assert.equal(recorder.ready, true, 'the viewers take nothing');
    await recorder.end('stopped');
  });

  it('is ready when it wakes the stream, also by a timer that fires early', async () => {
    const { clock, recorder, state } = withPicture({ fps: 5 });
    clock.now = () => 199;
    clock.advance(200);
    assert.deepEqual([state.acknowledged, state.readyWhenAcknowledged], [1, true]);
    await recorder.end('stopped');
  });

  it('takes the first picture of a new stream at once', async () => {
    const { recorder } = withPicture({ fps: 5 });
    assert.equal(recorder.ready, false);
    recorder.delivery.reset();
    assert.equal(recorder.ready, true);
    await recorder.end('stopped');
  });

  it('requests a key frame for a picture that changes, and none for one at rest', async () => {
    const { clock, recorder, state, stream, frame } = withPicture();
    for (let at = 0; at < KEY_FRAME_MS; at += REFRESH_MS) clock.advance(REFRESH_MS);
    assert.equal(state.keyFrames, 0);
    assert.equal(state.refreshes, KEY_FRAME_MS / REFRESH_MS);
    frame(stream, false);
    assert.equal(state.keyFrames, 1);
    await recorder.end('stopped');
  });

  it('requests a key frame after many pictures, except while a viewer would have to receive it', async () => {
    for (const watched of [false, true]) {
      const { clock, recorder, state, stream, frame } = withPicture({ fps: 30 });
      state.watched = watched;
      for (let nth = 0; nth < 2 * KEY_FRAME_PICTURES; nth++) {
        clock.advance(33);
        frame(stream, false);
      }
      assert.equal(state.keyFrames, watched ? 0 : 2);
      await recorder.end('stopped');
    }
  });

  it('shows a card in privacy mode, and nothing of the session', async () => {
    const { clock, recorder, state, stream, frame, file } = withPicture({}, 320, 240);
    clock.advance(1_000);
    recorder.pause(true);
    assert.equal(recorder.ready, false);
    frame(stream, false);
    clock.advance(10_000);
    recorder.pause(false);
    assert.equal(state.keyFrames, 1);
    frame(stream, false);
    frame(stream, true);
    clock.advance(1_000);
    await recorder.end('stopped');
    const video = (await packetsOf(file())).filter(({ codec }) => codec === 'video');
    const keys = video.filter(({ keyFrame }) => keyFrame).map(({ time }) => Math.round(time));
    assert.deepEqual(keys, [0, 1, 11]);
    assert.ok(['', undefined].includes(await probeWarnings(file())));
  });

  it('fills a ring from the end of privacy mode when the next picture was captured before that', async () => {
    const ring = new RingOutput(30_000);
    const { clock, recorder, stream, frame } = withPicture({ ring });
    recorder.pause(true);
    clock.advance(60_000);
    recorder.pause(false);
    frame(stream, true, 55_000);
    clock.advance(40_000);
    frame(stream, true);
    assert.equal(ring.writeTo(new RingOutput(30_000), recorder.time), 40_000);
    await recorder.end('stopped');
  });

  it('repeats the key frame of the card, so that a player never reads far back', async () => {
    const { clock, recorder, file } = withPicture({}, 320, 240);
    recorder.pause(true);
    for (let at = 0; at < 4 * KEY_FRAME_MS; at += REFRESH_MS) clock.advance(REFRESH_MS);
    await recorder.end('stopped');
    const video = (await packetsOf(file())).filter(({ codec }) => codec === 'video');
    const keys = video.filter(({ keyFrame }) => keyFrame).map(({ time }) => time);
    const gaps = keys.slice(1).map((time, index) => time - (keys[index] ?? 0));
    assert.ok(keys.length >= 4, `${keys.length} key frames`);
    assert.ok(Math.max(...gaps) <= (KEY_FRAME_MS + REFRESH_MS) / 1000, `${Math.max(...gaps)} s without one`);
  });

  it('drops pictures while the service does not read, and then requests a key frame', async () => {
    const { clock, recorder, state, stream, frame, file } = withPicture();
    state.unsent = 20 * 1024 * 1024;
    assert.equal(recorder.ready, false);
    frame(stream, false);
    state.unsent = 0;
    frame(stream, false);
    clock.advance(REFRESH_MS);
    assert.deepEqual([state.keyFrames, state.refreshes], [1, 0]);
    frame(stream, true);
    await recorder.end('stopped');
    assert.equal((await packetsOf(file())).length, 2);
  });

  it('ends after its time', async () => {
    const { clock, recorder, state, parts } = withPicture({ maxSeconds: 3 });
    clock.advance(4_000);
    await recorder.end('stopped');
    assert.deepEqual(state.ends, ['max_seconds']);
    const last = parts.at(-1);
    assert.equal(last?.type === 'end' && String(last.data), 'max_seconds');
  });
});
