import { commandLine, processes } from '../../../platform/proc.js';

const AUDIO_SERVICE = /[\s\0]--utility-sub-type=audio\.mojom\.AudioService[\s\0]/;

/**
 * Ends the browser's own process for sound, which never lets go of a sound server that is gone. The browser starts another one
 * when something plays next.
 *
 * @param browser the process that the browser descends from
 */
export function endAudioService(browser: number): void {
  const parents = new Map<number, number>();
  const services: number[] = [];
  for (const { pid, field } of processes()) {
    parents.set(pid, Number(field('PPid')));
    if (AUDIO_SERVICE.test(commandLine(pid))) services.push(pid);
  }
  const descends = (pid: number | undefined): boolean =>
    pid === browser || (pid !== undefined && pid > 1 && descends(parents.get(pid)));
  for (const pid of services) {
    try {
      if (descends(pid)) process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself meanwhile.
    }
  }
}
