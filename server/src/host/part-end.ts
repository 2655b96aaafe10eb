import type { ManagedProcess, ProcessExit } from '../platform/child-process.js';

/** How long Xorg's end may show later than that of a program which ended with it. */
const DISPLAY_EXIT_TIMEOUT_MS = 300;

/** A part of a workstation that ended by itself. */
export interface PartEnd extends ProcessExit {
  /** Chromium ended in good order: a person or a page has closed it. */
  asked: boolean;
}

type Part = Pick<ManagedProcess, 'name' | 'exited'>;

/**
 * The first end of these. What shows a display ends with it, and Chromium does so with code 0, as if it had been asked to: such an
 * end is the display's.
 */
export async function firstEnd(display: Part, windowManager: Part, browser: Part): Promise<PartEnd> {
  const first = await Promise.race([display.exited, windowManager.exited, browser.exited]);
  const crashed = first.name === browser.name && first.code !== 0;
  const exit = crashed ? first : await Promise.race([display.exited, after(DISPLAY_EXIT_TIMEOUT_MS, first)]);
  return { ...exit, asked: exit.name === browser.name && exit.code === 0 };
}

function after<T>(milliseconds: number, value: T): Promise<T> {
  return new Promise((resolve) => setTimeout(() => resolve(value), milliseconds));
}
