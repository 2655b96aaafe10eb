import type { ExpectedScreen } from '../../host-protocol.js';
import { pixelsOf } from '../../platform/screen-size.js';
import { modeFor, type DisplayMode } from '../display/modes.js';
import { QUALITIES } from '../encode/quality.js';

/** Returns the initial mode of a session's display. */
export function displayModeOf(session: ExpectedScreen): DisplayMode {
  const { width, height } = pixelsOf(session);
  return modeFor(width, height, refreshOf(session));
}

/** Refresh rate of the display in hertz. It is also the maximal paint rate of pages. */
export function refreshOf({ fps, quality }: Pick<ExpectedScreen, 'fps' | 'quality'>): number {
  return Math.min(fps, QUALITIES[quality].maxFps);
}
