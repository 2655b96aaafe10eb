import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PaintTrial, type PaintWay } from '../../../src/media/paint-trial.js';

/** Paints this many times, each time in the way that the trial chooses, and returns the ways. */
function paint(trial: PaintTrial, times: number, cost: Record<PaintWay, number>): PaintWay[] {
  return Array.from({ length: times }, () => {
    const { way } = trial;
    trial.took(way, cost[way]);
    return way;
  });
}

describe('PaintTrial', () => {
  it('keeps drawing where it is fast, even if the first drawings are slow', () => {
    const trial = new PaintTrial();
    paint(trial, 2, { draw: 40, copy: 1 });
    assert.ok(paint(trial, 50, { draw: 0.4, copy: 0.1 }).every((way) => way === 'draw'));
  });

  it('copies where drawing is slow and copying is faster', () => {
    const trial = new PaintTrial();
    paint(trial, 14, { draw: 6, copy: 2 });
    assert.ok(paint(trial, 50, { draw: 0.1, copy: 9 }).every((way) => way === 'copy'));
  });

  it('returns to drawing where copying is slower still', () => {
    const trial = new PaintTrial();
    const ways = paint(trial, 14, { draw: 6, copy: 8 });
    assert.ok(ways.includes('copy'));
    assert.ok(paint(trial, 50, { draw: 6, copy: 8 }).every((way) => way === 'draw'));
  });

  it('never copies again after it was refused, whatever the size', () => {
    const trial = new PaintTrial();
    paint(trial, 8, { draw: 6, copy: 2 });
    trial.refuse();
    trial.restart();
    assert.ok(paint(trial, 50, { draw: 6, copy: 2 }).every((way) => way === 'draw'));
  });

  it('starts again for another size', () => {
    const trial = new PaintTrial();
    paint(trial, 14, { draw: 6, copy: 2 });
    trial.restart();
    assert.equal(trial.way, 'draw');
    assert.ok(paint(trial, 50, { draw: 0.2, copy: 2 }).every((way) => way === 'draw'));
  });
});
