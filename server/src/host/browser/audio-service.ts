import { readdirSync, readFileSync } from 'node:fs';

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
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      // The name in brackets may hold anything; the parent is the second field behind it (proc(5)).
      parents.set(Number(entry), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
      if (AUDIO_SERVICE.test(readFileSync(`/proc/${entry}/cmdline`, 'utf8'))) services.push(Number(entry));
    } catch {
      // It ended while we looked.
    }
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
