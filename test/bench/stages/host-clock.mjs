/**
 * Loaded into the service and its processes before their own code. A session host adds the start of its
 * monotonic clock, in epoch milliseconds, to the file that the address of this module names. The capture
 * times of the host's packets count from this start.
 */
import { appendFileSync } from 'node:fs';

const file = new URL(import.meta.url).searchParams.get('file') ?? '';

if (process.argv[1]?.endsWith('/host/main.js')) appendFileSync(file, `${performance.timeOrigin}\n`);
