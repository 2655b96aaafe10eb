import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inverse, project, projectionOf } from '../../../src/viewer/picture/projection.js';

const SIZE = { width: 400, height: 300 };
const near = (got: { x: number; y: number }, x: number, y: number): void =>
  assert.ok(Math.hypot(got.x - x, got.y - y) < 1e-6, `${got.x}, ${got.y} is not ${x}, ${y}`);

describe('a projection', () => {
  it('maps a rectangle to its corners, and back', () => {
    for (const corners of [
      [0, 0, 400, 0, 400, 300, 0, 300],
      [10, 20, 210, 120, 110, 270, -90, 170],
      [400, 0, 0, 0, 0, 300, 400, 300],
      [0, 0, 300, 50, 300, 200, 0, 300],
    ]) {
      const points = [0, 2, 4, 6].map((at) => ({ x: corners[at]!, y: corners[at + 1]! }));
      const forth = projectionOf(SIZE, points);
      [
        [0, 0],
        [400, 0],
        [400, 300],
        [0, 300],
      ].forEach(([x, y], index) => {
        const { x: left, y: top } = points[index]!;
        near(project(forth, { x: x!, y: y! }), left, top);
        near(project(inverse(forth), { x: left, y: top }), x!, y!);
      });
      near(project(inverse(forth), project(forth, { x: 123, y: 45 })), 123, 45);
    }
  });

  it('maps a point beyond the horizon to the correct side', () => {
    const back = inverse(
      projectionOf(SIZE, [
        { x: 0, y: 0 },
        { x: 300, y: 50 },
        { x: 300, y: 200 },
        { x: 0, y: 300 },
      ]),
    );
    assert.ok(project(back, { x: 1e6, y: 125 }).x > 400);
  });

  it('of corners on one line has non-finite numbers', () => {
    const flat = [0, 1, 2, 3].map((x) => ({ x, y: 0 }));
    assert.ok(!inverse(projectionOf(SIZE, flat)).every(Number.isFinite));
  });
});
