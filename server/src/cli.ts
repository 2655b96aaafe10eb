#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { helpText } from './config/help.js';
import { loadConfig, type Config } from './config/load-config.js';
import { isStartedByNpx } from './config/started-by-npx.js';
import { proveEgress } from './egress-proof.js';
import { proveSandboxAt } from './host/startup-proof.js';
import { startService, type RunningService } from './main.js';
import { systemClock } from './platform/clock.js';
import { closeInheritedDescriptors } from './platform/inherited-descriptors.js';
import { createLog, type Log } from './platform/log.js';
import { onNpxEnd } from './platform/npx-chain.js';
import type { EgressProcess } from './pool/egress-process.js';
import type { Places } from './pool/places.js';

/** When closing takes this much longer than draining, the process ends anyway: what is not saved then, its successor saves. */
const CLOSE_TIMEOUT_MS = 120_000;

/** The command `cloud-browser`: runs the service until it is told to stop, or the npx that started it has ended. */
async function run(): Promise<void> {
  closeInheritedDescriptors();
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help) {
    process.stdout.write(helpText());
    return;
  }
  const config = loadConfig();
  const log = createLog(config.logLevel, (line) => process.stderr.write(line));
  const starting = startService(config, log, {
    proveSandbox: (places, egress) => proveSandbox(places, egress, log),
    onDemoUrl,
    // What takes the name of a running process over has all that is its; one that is only starting ends when it has started.
    onSuperseded: () => void starting.then((service) => service.close(0)).finally(() => process.exit(1)),
  });
  const service = await starting;
  stopOnSignals(service, config, log);
  process.stdout.write(greeting(service, config));
}

function greeting(service: RunningService, config: Config): string {
  const lines = [`cloud-browser is ready: ${service.demoUrl}`];
  if (config.apiKeyGenerated)
    lines.push(`API key for this run:   ${config.apiKeys[0]} (set API_KEYS to choose your own)`);
  return `\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`;
}

/**
 * Proves in a place of its own that hosted pages are confined on this machine, and kept from it. Rejects with
 * `UnsafeBrowserError` or `OpenNetworkError`.
 */
async function proveSandbox(places: Places, egress: EgressProcess, log: Log): Promise<void> {
  const place = await places.take();
  if (!place) return;
  try {
    await Promise.all([proveSandboxAt(place), proveEgress(egress, place)]);
  } finally {
    // A failure says nothing about the sandbox; the next start cleans what stays.
    await places.release(place).catch((error: unknown) => {
      log.error('a place could not be cleaned', { directory: place.directory, error });
      places.abandon(place);
    });
  }
}

/** An address with a one-time secret opens the demo in one browser; the next browser needs another. */
function onDemoUrl(url: string): void {
  process.stdout.write(`  For another browser:    ${url}\n`);
}

function stopOnSignals(service: RunningService, { drainSeconds }: Config, log: Log): void {
  let stopping = false;
  const stop = (cause: Record<string, string>) => {
    stopping = true;
    log.info('stopping', { ...cause, drainSeconds });
    setTimeout(
      () => {
        log.error('stopping took too long');
        process.exit(1);
      },
      drainSeconds * 1000 + CLOSE_TIMEOUT_MS,
    ).unref();
    service.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error('stopping failed', { error });
        process.exit(1);
      },
    );
  };
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stop({ signal });
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  if (!isStartedByNpx()) return;
  onNpxEnd(systemClock, () => {
    if (!stopping) stop({ reason: 'npx has ended' });
  });
}

run().catch((error: unknown) => {
  // Errors with a code of ours are sentences for the person at the terminal; anything else is a defect and shows its stack.
  const told = error instanceof Error && 'code' in error && /^(err_|ERR_PARSE_ARGS)/.test(String(error.code));
  process.stderr.write(`${told ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
