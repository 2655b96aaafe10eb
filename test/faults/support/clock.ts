import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../walk/deadline.js';
import type { BuiltService, ServiceOptions } from '../../support/built-service.js';

const MODULE = new URL('clock.mjs', import.meta.url);
const NOTICE_LIMIT_MS = 5_000;

const fileOf = (directory: string) => join(directory, 'clock.json');

/**
 * Starts a service whose clocks, and those of its hosts, {@link setClock} sets. The browser keeps the
 * machine's clock.
 */
export const CLOCK_SERVICE: ServiceOptions = {
  nodeArguments: (directory) => ['--import', `${MODULE.href}?file=${encodeURIComponent(fileOf(directory))}`],
};

/** Sets the clocks of a service. Resolves when the service has applied the change. See `clock.mjs`. */
export async function setClock(
  { directory }: BuiltService,
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
