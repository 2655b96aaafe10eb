import { NEUTRAL } from '../methods/neutral-checks.js';
import type { ProgramState } from '../programs/program-state.js';
import type { ClientCommand } from './messages.js';

/**
 * True if a command must have no effect, because it would end an emulation of a touch screen that the program
 * has not begun. For example, Puppeteer turns off the touch screen of each page when it connects. In Chromium
 * this would also turn off that of a session with a phone's browser. Records the emulations that the program
 * begins and ends.
 */
export function keepsTouch(
  { method, params, sessionId = '' }: ClientCommand,
  { touch }: Pick<ProgramState, 'touch'>,
  mayAct: boolean,
): boolean {
  if (method !== 'Emulation.setTouchEmulationEnabled') return false;
  if (NEUTRAL.noTouch(params)) return !touch.delete(sessionId);
  if (mayAct) touch.add(sessionId);
  return false;
}
