import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  KEY_FRAME_MS,
  KEY_FRAME_PICTURES,
  KeyFrameSchedule,
  LONGEST_MS,
} from '../../../server/src/host/features/recording/key-frame-schedule.js';
import { TARGET_SECONDS } from '../../../server/src/sessions/recordings/playlist.js';

const KEY_FRAME = new Uint8Array(100_000);

/** Returns the milliseconds from a key frame to the picture that makes the next one due. */
function intervalOf(options: {
  every: number;
  bytes: number;
  sound?: number;
  watched?: boolean;
  keyFrame?: Uint8Array;
}): number {
  const { every, bytes, sound = 0, watched = false, keyFrame = KEY_FRAME } = options;
  const schedule = new KeyFrameSchedule(LONGEST_MS);
  assert.equal(schedule.picture(keyFrame, true, 0, watched), false);
  for (let now = every; ; now += every) {
    if (sound > 0) schedule.sound(new Uint8Array(sound));
    if (schedule.picture(new Uint8Array(bytes), false, now, watched)) return now;
    assert.ok(now < 3_600_000, 'no key frame in an hour');
  }
}

describe('the schedule of key frames', () => {
  it('requests one every 15 seconds while the picture changes', () => {
    for (const watched of [false, true])
      assert.equal(intervalOf({ every: 200, bytes: 2_000, watched }), KEY_FRAME_MS);
  });

  it('waits at rest, so that key frames take at most a thousand bytes a second', () => {
    const interval = intervalOf({ every: 1_500, bytes: 100 });
    assert.ok(interval > 90_000 && interval <= 100_000, `${interval} ms`);
  });

  it('lets no more pictures depend on one than a player decodes in a moment', () => {
    assert.equal(intervalOf({ every: 1_500, bytes: 0 }) <= KEY_FRAME_PICTURES * 1_500, true);
    assert.equal(intervalOf({ every: 40, bytes: 10 }), KEY_FRAME_PICTURES * 40);
    // Viewers receive the key frame too.
    assert.equal(intervalOf({ every: 40, bytes: 10, watched: true }), 15_000);
  });

  it('requests one after at most four minutes, because a segment of the playlist ends there', () => {
    assert.equal(intervalOf({ every: 5_000, bytes: 0, keyFrame: new Uint8Array(10 ** 6) }), LONGEST_MS);
    assert.ok(LONGEST_MS / 1000 < TARGET_SECONDS);
  });

  it('counts sound, which a player reads before the pictures', () => {
    const interval = intervalOf({ every: 1_500, bytes: 100, sound: 15_000 });
    assert.equal(interval, KEY_FRAME_MS);
  });

  it('requests one at once after the largest number of bytes', () => {
    const schedule = new KeyFrameSchedule(LONGEST_MS, 3_000);
    assert.equal(schedule.picture(KEY_FRAME, true, 0, true), false);
    const due = [1, 2, 3, 4].map((now) => schedule.picture(new Uint8Array(1_000), false, now, true));
    assert.deepEqual(due, [false, false, true, false]);
  });

  it('counts from the key frame that was sent', () => {
    const schedule = new KeyFrameSchedule(LONGEST_MS);
    schedule.picture(new Uint8Array(10), true, 0, false);
    assert.equal(schedule.picture(new Uint8Array(10), false, KEY_FRAME_MS, false), true);
    assert.equal(
      schedule.picture(new Uint8Array(10), false, KEY_FRAME_MS + 1, false),
      false,
      'it is on its way',
    );
    schedule.picture(new Uint8Array(10), true, KEY_FRAME_MS + 500, false);
    assert.equal(schedule.isOld(2 * KEY_FRAME_MS), false);
    assert.equal(schedule.isOld(2 * KEY_FRAME_MS + 500), true);
  });
});
