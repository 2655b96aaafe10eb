import { commandLine, processes } from '../../../platform/proc.js';

/**
 * Ends the browser's own process for sound, which never lets go of a sound server that is gone. The browser starts another one
 * when something plays next.
 *
 * @param browser the process that the browser descends from
 */
export function endAudioService(browser: number): void {
  endProcess(browser, /[\s\0]--utility-sub-type=audio\.mojom\.AudioService[\s\0]/);
}

/**
 * Ends the browser's process that all its requests go through. The browser starts another one at once; requests that were under way
 * fail.
 *
 * @param browser the process that the browser descends from
 */
export function endNetworkService(browser: number): void {
  endProcess(browser, /[\s\0]--utility-sub-type=network\.mojom\.NetworkService[\s\0]/);
}

/**
 * Ends the process that a page runs in, whatever it does. Its tab shows the crash until it goes somewhere.
 *
 * @param browser the process that the browser descends from
 * @param renderer Chromium's own number of the page's process, not the kernel's
 */
export function endRenderer(browser: number, renderer: number): void {
  endProcess(browser, new RegExp(`[\\s\\0]--renderer-client-id=${renderer}[\\s\\0]`));
}

/** Ends the descendants of a browser whose command line says this. */
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
      // It ended by itself meanwhile.
    }
  }
}
