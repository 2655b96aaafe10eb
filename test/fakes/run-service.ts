import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../server/src/config/load-config.js';
import { startService } from '../../server/src/main.js';
import { quiet } from './test-service.js';

/** Runs the whole service, configured by the environment, on scripted hosts; prints its address when it is ready. */
const hostEntry = fileURLToPath(new URL('./scripted-host.mjs', import.meta.url));
const service = await startService(loadConfig(), quiet, { hostEntry });
process.stdout.write(`${service.url}\n`);
