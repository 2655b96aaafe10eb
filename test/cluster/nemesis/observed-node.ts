import { appendFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../../server/src/config/load-config.js';
import { startService } from '../../../server/src/main.js';
import { createLog } from '../../../server/src/platform/log.js';
import { monotonicNow } from './monotonic.js';

/**
 * A node as `cli.ts` runs it, on hosts that record the lives of their sessions. Records the delay of its
 * event loop. Files: `LIVES_FILE`, `LAG_FILE`, `LOG_FILE`.
 */
const TICK_MS = 20;
const WRITE_MS = 500;
const hostEntry = fileURLToPath(new URL('./logged-host.mjs', import.meta.url));
const { LIVES_FILE = '', LAG_FILE = '', LOG_FILE = '' } = process.env;

let due = performance.now() + TICK_MS;
let lag = 0;
let written = performance.now();
setInterval(() => {
  const now = performance.now();
  lag = Math.max(lag, now - due);
  due = now + TICK_MS;
  if (now - written < WRITE_MS) return;
  appendFileSync(LAG_FILE, `${JSON.stringify({ at: monotonicNow(), lag })}\n`);
  written = now;
  lag = 0;
}, TICK_MS);

const config = loadConfig();
const environment = { ...config.hostEnvironment, LIVES_FILE };
const log = createLog('info', (line) => appendFileSync(LOG_FILE, line));
const starting = startService({ ...config, hostEnvironment: environment }, log, {
  hostEntry,
  onSuperseded: () => void starting.then((service) => service.close(0)).finally(() => process.exit(1)),
});
const service = await starting;
process.once('SIGTERM', () => void service.close().then(() => process.exit(0)));
process.stdout.write(`${service.url}\n`);
