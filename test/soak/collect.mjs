/**
 * Loaded into the service before its own code: on SIGUSR2 it collects garbage (`--expose-gc`) and writes what
 * is left to the file that the address of this module names. Session hosts have it too and are never asked.
 */
import { renameSync, writeFileSync } from 'node:fs';

const file = new URL(import.meta.url).searchParams.get('file') ?? '';

process.on('SIGUSR2', () => {
  for (let round = 0; round < 3; round++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  writeFileSync(`${file}.new`, JSON.stringify({ heapUsed, external, timers }));
  renameSync(`${file}.new`, file);
});
