import { commandLine, processes } from '../../../platform/process/proc.js';

/**
 * Ends the browser's audio process, because this process never disconnects from a sound server that is gone.
 * The browser starts another audio process for the next sound.
 *
 * @param browser process id of an ancestor of the browser
 */
export function endAudioService(browser: number): void {
  endProcess(browser, /[\s\0]--utility-sub-type=audio\.mojom\.AudioService[\s\0]/);
}

/**
 * Ends the browser's GPU process, which draws the content of all its windows. The browser starts another one
 * at once. Pages stay open.
 *
 * @param browser process id of an ancestor of the browser
 */
export function endGpuProcess(browser: number): void {
  endProcess(browser, /[\s\0]--type=gpu-process[\s\0]/);
}

/**
 * Kills the process of a page, even if the page hangs. The page's tab shows the crash until the tab
 * navigates.
 *
 * @param browser process id of an ancestor of the browser
 * @param renderer Chromium's number for the page's process, not the kernel's process id
 */
export function endRenderer(browser: number, renderer: number): void {
  endProcess(browser, new RegExp(`[\\s\\0]--renderer-client-id=${renderer}[\\s\\0]`));
}

/** Ends the descendants of the process `browser`, if their command line matches. */
function endProcess(browser: number, which: RegExp): void {
  const parents = new Map<number, number>();
  const found: number[] = [];
  for (const { pid, field } of processes()) {
    parents.set(pid, Number(field('PPid')));
    if (which.test(commandLine(pid))) found.push(pid);
  }
  const descends = (pid: number | undefined): boolean =>
    pid === browser || (pid !== undefined && pid > 1 && descends(parents.get(pid)));
  for (const pid of found) {
    try {
      if (descends(pid)) process.kill(pid, 'SIGKILL');
    } catch {
      // The process has ended meanwhile.
    }
  }
}
