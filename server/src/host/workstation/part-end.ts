import type { ManagedProcess, ProcessExit } from '../../platform/process/child-process.js';
import { withTimeout } from '../../platform/time/timeout.js';

/**
 * When Xorg exits, the programs on its display exit too. The host may notice Xorg's exit up to this many
 * milliseconds after theirs.
 */
const DISPLAY_EXIT_TIMEOUT_MS = 300;

/** A part of a workstation that ended although the host did not stop it. */
export interface PartEnd extends ProcessExit {
  /** True if Chromium exited normally: a user or a page has closed it. */
  asked: boolean;
}

type Part = Pick<ManagedProcess, 'name' | 'exited'>;

/**
 * Resolves to the first part that ends. If the display ends, the programs on it end too. Chromium then exits
 * with code 0, as if a user had closed it. In this case the display counts as the first part, even if the
 * host notices the end of the display last.
 */
export async function firstEnd(display: Part, windowManager: Part, browser: Part): Promise<PartEnd> {
  const first = await Promise.race([display.exited, windowManager.exited, browser.exited]);
  const crashed = first.name === browser.name && first.code !== 0;
  const exit = crashed ? first : await withTimeout(display.exited, DISPLAY_EXIT_TIMEOUT_MS, () => first);
  return { ...exit, asked: exit.name === browser.name && exit.code === 0 };
}
