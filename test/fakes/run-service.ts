import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../server/src/config/load-config.js';
import { startService } from '../../server/src/main.js';
import { quiet } from './test-service.js';

/**
 * Runs the whole service, configured by the environment, on scripted hosts; prints its address when it is
 * ready. At SIGTERM it closes and prints the most memory that it has had, in kilobytes.
 */
const host = process.env['UNSOUND_HOSTS'] ? './unsound-host.mjs' : './scripted-host.mjs';
const hostEntry = fileURLToPath(new URL(host, import.meta.url));
const service = await startService(loadConfig(), quiet, { hostEntry });
process.once('SIGTERM', () => {
  void service.close().then(() => {
    process.stdout.write(`peak ${process.resourceUsage().maxRSS}\n`);
    process.exit(0);
  });
});
process.stdout.write(`${service.url}\n`);
