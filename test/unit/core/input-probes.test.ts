import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { InputProbes } from '../../../src/core/input/input-probes.js';
import type { InputWithoutSeq } from '../../../src/protocol/index.js';
import { ManualTimers } from '../../fakes/manual-timers.js';

describe('probes after input', () => {
  let timers: ManualTimers;
  let roundTrip: number | undefined;
  let sent: number[];
  let probes: InputProbes;

  const press: InputWithoutSeq = { type: 'button', x: 1, y: 1, button: 0, pressed: true, modifiers: 0 };
  const move: InputWithoutSeq = { type: 'move', x: 1, y: 1, modifiers: 0 };

  beforeEach(() => {
    timers = new ManualTimers();
    roundTrip = 80;
    sent = [];
    probes = new InputProbes(
      timers,
      () => roundTrip,
      () => sent.push(timers.now()),
    );
  });

  it('follow a press twice', () => {
    probes.sent(press);
    timers.advance(1_000);
    assert.deepEqual(sent, [8, 25]);
  });

  it('of a press are replaced by those of the release', () => {
    probes.sent(press);
    timers.advance(10);
    probes.sent({ ...press, pressed: false });
    timers.advance(1_000);
    assert.deepEqual(sent, [8, 18, 35]);
  });

  it('do not follow a moving pointer', () => {
    probes.sent(move);
    assert.equal(timers.pending, 0);
  });

  it('are not sent over a short or an unknown distance', () => {
    for (const time of [undefined, 1, 14]) {
      roundTrip = time;
      probes.sent(press);
    }
    assert.equal(timers.pending, 0);
  });

  it('end with their connection', () => {
    probes.sent(press);
    probes.forget();
    assert.equal(timers.pending, 0);
  });
});
