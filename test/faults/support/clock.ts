import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../walk/deadline.js';
import type { RealService, ServiceOptions } from './real-service.js';

const MODULE = new URL('clock.mjs', import.meta.url);
const NOTICE_LIMIT_MS = 5_000;

const fileOf = (directory: string) => join(directory, 'clock.json');

/**
 * A service whose clocks {@link setClock} sets, and its hosts' with them. The browser keeps the machine's.
 */
export const CLOCK_SERVICE: ServiceOptions = {
  nodeArguments: (directory) => ['--import', `${MODULE.href}?file=${encodeURIComponent(fileOf(directory))}`],
};

/** Sets the clocks of a service; resolves when it has noticed. See `clock.mjs`. */
export async function setClock(
  { directory }: RealService,
  time: { shift?: number; speed?: number },
): Promise<void> {
  const [file, text] = [fileOf(directory), JSON.stringify(time)];
  await writeFile(`${file}.new`, text, { mode: 0o644 });
  await rename(`${file}.new`, file);
  await until('the service has the time', NOTICE_LIMIT_MS, async () => {
    const seen = await readFile(`${file}.seen`, 'utf8').catch(() => '');
    return seen === text;
  });
}
