import type { RawViewer } from './raw-viewer.js';
import { until } from './until.js';

/** Milliseconds for which frames are counted. */
const WATCH_MS = 4_000;

/**
 * Distinct frames per second over the next {@link WATCH_MS}, by the host's clock. Refinements of a frame do
 * not count.
 */
export async function deliveredRate(viewer: RawViewer): Promise<number> {
  const first = viewer.packets.length - 1;
  const start = viewer.packets[first]?.at ?? 0;
  await until('enough frames came', () => (viewer.packets.at(-1)?.at ?? 0) - start >= WATCH_MS);
  // Delayed packets arrive together, so their arrival times do not show the frame rate.
  const times = viewer.packets
    .slice(first)
    .filter(({ refinement }) => !refinement)
    .map(({ captureTime }) => captureTime);
  const span = ((times.at(-1) ?? 0) - (times[0] ?? 0)) >>> 0;
  return ((new Set(times).size - 1) * 1_000_000) / span;
}
