import type { ExpectedScreen } from '../host-protocol.js';
import { pixelsOf } from '../platform/screen-size.js';
import { modeFor, type DisplayMode } from './display/modes.js';
import { QUALITIES } from './encode/quality.js';

/** The mode that a session's display has at first. */
export function displayModeOf(session: ExpectedScreen): DisplayMode {
  const { width, height } = pixelsOf(session);
  return modeFor(width, height, refreshOf(session));
}

/** Pictures a second that the display shows, hence the most that pages paint. */
export function refreshOf({ fps, quality }: Pick<ExpectedScreen, 'fps' | 'quality'>): number {
  return Math.min(fps, QUALITIES[quality].maxFps);
}
