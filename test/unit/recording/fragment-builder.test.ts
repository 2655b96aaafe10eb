import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  FRAGMENT_MS,
  FragmentBuilder,
  SHORTEST_MS,
  type BuiltFragment,
} from '../../../server/src/host/features/recording/fragment-builder.js';

const picture = (time: number, keyFrame = false, bytes = 10) => ({
  data: new Uint8Array(bytes),
  keyFrame,
  time,
});
/** A builder with its first picture. */
function begun(audio = false): FragmentBuilder {
  const builder = new FragmentBuilder(audio);
  builder.picture(picture(0, true));
  return builder;
}
const video = (fragment: BuiltFragment | undefined) =>
  (fragment?.samples ?? []).filter(({ track }) => track === 'video');
const sound = (fragment: BuiltFragment | undefined) =>
  (fragment?.samples ?? []).filter(({ track }) => track === 'sound');

describe('fragments of a recording', () => {
  it('give each picture the time until the next one', () => {
    const builder = begun();
    builder.picture(picture(40));
    builder.picture(picture(100));
    const fragment = builder.end(250);
    assert.deepEqual(
      video(fragment).map(({ time, duration }) => [time / 90, duration / 90]),
      [
        [0, 40],
        [40, 60],
        [100, 150],
      ],
    );
    assert.deepEqual([fragment?.time, fragment?.duration, fragment?.keyFrame], [0, 0.25, true]);
  });

  it('show a single picture for a fifth of a second, also if the recording ends at once', () => {
    const builder = begun();
    const fragment = builder.end(0);
    assert.equal(video(fragment).length, 1);
    assert.equal(fragment?.duration, SHORTEST_MS / 1000);
    assert.equal(new FragmentBuilder(false).end(0), undefined, 'nothing was recorded');
  });

  it('end after their time, with a picture that is older than a second', () => {
    const builder = begun();
    assert.equal(builder.tick(FRAGMENT_MS - 1), undefined);
    assert.equal(video(builder.tick(FRAGMENT_MS)).length, 1);
    builder.picture(picture(2_500));
    const next = builder.tick(4_600);
    assert.equal(next?.time, 2.5);
  });

  it('keep a young picture for the next fragment', () => {
    const builder = begun();
    builder.picture(picture(1_900));
    assert.equal(video(builder.tick(2_000)).length, 1);
    assert.equal(video(builder.end(2_100)).length, 1);
  });

  it('end before a key frame', () => {
    const builder = begun();
    builder.picture(picture(40));
    assert.equal(video(builder.picture(picture(80, true))).length, 2);
    assert.equal(builder.end(120)?.keyFrame, true);
  });

  it('end with a megabyte', () => {
    const builder = new FragmentBuilder(false);
    builder.picture(picture(0, true, 600_000));
    assert.equal(builder.picture(picture(40, false, 600_000)), undefined);
    assert.equal(video(builder.picture(picture(80))).length, 2);
  });

  it('never go back in time', () => {
    const builder = begun();
    builder.picture(picture(50));
    builder.picture(picture(30));
    const times = video(builder.end(60)).map(({ time }) => time);
    assert.deepEqual(
      [...times].sort((a, b) => a - b),
      times,
    );
    assert.equal(new Set(times).size, 3);
  });

  it('fill silence where the session sent no sound', () => {
    const builder = begun(true);
    builder.sound(Uint8Array.of(1, 2, 3, 4), 500);
    const packets = sound(builder.tick(2_000));
    const times = packets.map(({ time }) => time);
    assert.deepEqual(
      times,
      times.map((_, index) => index * 960),
    );
    const at = packets.findIndex(({ data }) => data.length === 4);
    assert.ok(Math.abs(at * 20 - 500) <= 40, `the sound is at ${at * 20} ms`);
    // The last 200 ms may still come.
    assert.ok(Math.abs(packets.length * 20 - 1_800) <= 60, `${packets.length} packets`);
  });

  it('keep sound that arrives late for the next fragment', () => {
    const builder = begun(true);
    builder.sound(Uint8Array.of(1, 2, 3, 4), 1_900);
    assert.equal(sound(builder.tick(2_000)).filter(({ data }) => data.length === 4).length, 0);
    builder.picture(picture(2_100));
    assert.equal(sound(builder.end(2_500)).filter(({ data }) => data.length === 4).length, 1);
  });
});
