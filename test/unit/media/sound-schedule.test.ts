import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { SoundSchedule } from '../../../src/media/sound/sound-schedule.js';

const PACKET = 0.02;

describe('the schedule of sounds', () => {
  let schedule: SoundSchedule;
  let now: number;
  /** The end time of each scheduled sound. */
  let ends: number;

  beforeEach(() => {
    schedule = new SoundSchedule();
    [now, ends] = [100, 0];
  });

  /** A packet arrives `late` seconds late. Returns how long it waits, or undefined. */
  function arrives(late = 0, wanted?: number): number | undefined {
    const planned = schedule.plan(now + late, PACKET, wanted);
    if (planned) {
      assert.ok(planned.at >= now + late && planned.at >= ends - 1e-9, 'in its turn, and not in the past');
      ends = planned.at + PACKET / planned.rate;
    }
    const wait = planned && planned.at - now - late;
    now += PACKET;
    return wait;
  }

  function silence(): void {
    now += 1;
    schedule.pause();
  }

  const near = (actual: number | undefined, expected: number) =>
    assert.ok(Math.abs((actual ?? NaN) - expected) < 0.003, `${actual} is not about ${expected}`);

  it('plays soon after the arrival, without gaps when packets are slightly late', () => {
    near(arrives(), 0.02);
    for (let packet = 1; packet < 1000; packet++) arrives((packet % 3) * 0.006);
    assert.equal(schedule.gaps, 0);
  });

  it('increases the delay after a gap, and reduces it when it is not needed', () => {
    arrives();
    arrives(0.06);
    assert.equal(schedule.gaps, 1);
    near(arrives(0.04), 0.05);
    for (let packet = 0; packet < 1_500; packet++) arrives();
    assert.equal(schedule.gaps, 1);
    near(arrives(), 0.012);
  });

  it('reduces the delay after each silence without a gap before it', () => {
    arrives();
    for (let gap = 0; gap < 3; gap++) {
      now += 0.2;
      arrives();
    }
    near(arrives(), 0.05);
    for (let pause = 0; pause < 8; pause++) {
      silence();
      arrives();
    }
    silence();
    near(arrives(), 0.02);
    assert.equal(schedule.gaps, 3);
  });

  it('waits for late pictures, up to the maximum delay', () => {
    near(arrives(0, 0.1), 0.1);
    silence();
    near(arrives(0, 5), 0.2);
    silence();
    arrives(0, 0);
    for (let packet = 0; packet < 1_000; packet++) arrives(0, 0.08);
    near(arrives(0, 0.08), 0.08);
  });

  it('catches up with its picture within seconds after a standstill', () => {
    arrives(0, -0.02);
    const start = now;
    // All delayed packets arrive at once.
    for (let packet = 0; packet < 10; packet++) arrives(0.2 - packet * PACKET, -0.02);
    let wait: number | undefined;
    do wait = arrives(0, -0.02);
    while ((wait ?? 1) > 0.065 && now < start + 20);
    assert.ok(now < start + 8, `${now - start} s`);
    assert.equal(schedule.gaps, 1);
  });

  it('does not speed up for a connection that delivers four packets at a time', () => {
    const burst = () => {
      for (const late of [0.06, 0.04, 0.02, 0]) arrives(late, -0.02);
    };
    for (let bursts = 0; bursts < 200; bursts++) burst();
    const { gaps } = schedule;
    for (let bursts = 0; bursts < 500; bursts++) burst();
    assert.ok(schedule.gaps - gaps <= 3, `${schedule.gaps - gaps} gaps in 40 s`);
  });

  it('skips packets that arrive faster than they play', () => {
    let planned = 0;
    for (let packet = 0; packet < 100; packet++) if (schedule.plan(100, PACKET, 0)) planned += 1;
    assert.ok(planned <= 10, `${planned}`);
  });

  it('never exceeds its maximum delay on a worsening connection', () => {
    arrives();
    for (let gap = 0; gap < 100; gap++) {
      now += 1;
      arrives();
    }
    now += 1;
    near(arrives(), 0.2);
  });
});
