import type { Point, Size } from '../../core/index.js';

/**
 * Projection of one plane onto another, as the rows of a 3 x 3 matrix. CSS transforms of a flat element are
 * projections, including 3D transforms.
 */
export type Projection = readonly [
  ...x: [number, number, number],
  ...y: [number, number, number],
  ...depth: [number, number, number],
];

/** Minimum divisor of a projection. On the horizon of the plane the divisor is 0, and beyond it, negative. */
const HORIZON = 1e-9;

/**
 * Returns the projection of a rectangle that starts at 0, 0 onto four corners: top left, top right, bottom
 * right, bottom left. Its numbers are not finite if the corners are on one line.
 */
export function projectionOf({ width, height }: Size, corners: readonly Point[]): Projection {
  const [a, b, c, d] = corners as readonly [Point, Point, Point, Point];
  const right = { x: b.x - c.x, y: b.y - c.y };
  const low = { x: d.x - c.x, y: d.y - c.y };
  const rest = { x: a.x - b.x + c.x - d.x, y: a.y - b.y + c.y - d.y };
  const area = right.x * low.y - low.x * right.y;
  const g = (rest.x * low.y - low.x * rest.y) / area;
  const h = (right.x * rest.y - rest.x * right.y) / area;
  const row = (from: number, over: number, down: number) =>
    [(over - from + g * over) / width, (down - from + h * down) / height, from] as const;
  return [...row(a.x, b.x, d.x), ...row(a.y, b.y, d.y), g / width, h / height, 1];
}

/** Returns the inverse projection. */
export function inverse([a, b, c, d, e, f, g, h, i]: Projection): Projection {
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  const over = (value: number): number => value / determinant;
  return [
    ...([e * i - f * h, c * h - b * i, b * f - c * e].map(over) as [number, number, number]),
    ...([f * g - d * i, a * i - c * g, c * d - a * f].map(over) as [number, number, number]),
    ...([d * h - e * g, b * g - a * h, a * e - b * d].map(over) as [number, number, number]),
  ];
}

/** Projects a point. */
export function project([a, b, c, d, e, f, g, h, i]: Projection, { x, y }: Point): Point {
  const depth = Math.max(g * x + h * y + i, HORIZON);
  return { x: (a * x + b * y + c) / depth, y: (d * x + e * y + f) / depth };
}
