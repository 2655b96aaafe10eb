#!/usr/bin/env node
import { checkMachine } from './startup/checks/check-machine.js';
import { NameTakenError } from './cluster/nodes/taken-name.js';
import { fieldsHelp } from './create-fields/field-texts.js';
import { readCommandLine, UnknownArgumentError } from './config/command-line.js';
import { helpText } from './config/help.js';
import { mcpHelp, readMcpSettings } from './config/mcp-target.js';
import { loadConfig, type Config } from './config/load-config.js';
import { isStartedByNpx } from './config/started-by-npx.js';
import { proveConfinement } from './startup/checks/confinement-proof.js';
import { exitWhenClosed, type ExitOptions } from './startup/exit-when-closed.js';
import { MissingPartsError, missingParts } from './host/needed-parts.js';
import { startService, type RunningService } from './main.js';
import { NAME_TAKEN_EXIT_CODE } from './startup/node-name.js';
import { packageVersion } from './platform/files/package-files.js';
import { systemClock } from './platform/time/clock.js';
import { closeInheritedDescriptors } from './platform/process/inherited-descriptors.js';
import { createLog, type Log } from './platform/log.js';
import { onNpxEnd } from './platform/process/npx-chain.js';
import { ignoreOutputErrors } from './platform/process/output-errors.js';

/**
 * Maximum time in milliseconds for closing the service, counted from the end of `DRAIN_SECONDS`. If closing
 * takes longer, the process exits at once, and the next start saves the remaining data.
 */
const CLOSE_TIMEOUT_MS = 120_000;

/**
 * The command `cloud-browser`: runs the service until it is stopped. If npx started it, it also ends when npx
 * ends. `--check` starts one session as a test. `mcp` serves the tools of one browser to an AI application.
 * `--version` prints the version of the package.
 */
async function run(): Promise<void> {
  closeInheritedDescriptors();
  const { topic, help, check, version } = readCommandLine(process.argv.slice(2));
  if (help || version) {
    process.stdout.write(help ? helpOn(topic) : `${packageVersion()}\n`);
    return;
  }
  if (topic === 'mcp') {
    const settings = readMcpSettings();
    const { runMcp } = await import('./mcp/stdio.js');
    await runMcp(settings, (line) => process.stderr.write(`${line}\n`));
    process.exit(0);
  }
  if (topic !== undefined) throw new UnknownArgumentError(topic);
  const config = loadConfig();
  if (check) return checkStart(config);
  const missing = await missingParts(config.sessionUidBase);
  if (missing.length > 0) throw new MissingPartsError(missing);
  ignoreOutputErrors();
  const log = createLog(config.logLevel, (line) => process.stderr.write(line));
  const { withoutEffect: variables } = config;
  if (variables.length > 0) log.warn('variables without effect', { variables, missing: 'DATABASE_URL' });
  const starting = startService(config, log, {
    proveSandbox: (places, egress) => proveConfinement(places, egress, log),
    onDemoUrl,
    // Another process has joined the cluster under this node's name, so this process must close. If this
    // process is still starting, it first finishes its start. If the operator did not set the name, the next
    // start chooses another name.
    onSuperseded: () => {
      const code = config.cluster?.nodeNameIsSet ? NAME_TAKEN_EXIT_CODE : 1;
      const closing = starting.then((service) => service.close(0));
      exitWhenClosed(closing, { ...exits(log), limit: CLOSE_TIMEOUT_MS, closed: code, failed: code });
    },
  });
  const stopping = stopOnSignals(starting, config, log);
  const service = await starting;
  if (!stopping.requested) process.stdout.write(greeting(service, config));
}

function helpOn(topic: string | undefined): string {
  if (topic === undefined) return helpText();
  if (topic === 'create') return fieldsHelp();
  if (topic === 'mcp') return mcpHelp();
  throw new UnknownArgumentError(topic);
}

/** Prints the result of a check and ends the process. The exit code is 0 if a session starts, otherwise 1. */
async function checkStart(config: Config): Promise<never> {
  const result = await checkMachine(config);
  if ('seconds' in result) {
    process.stdout.write(`Sessions start on this machine: one started in ${result.seconds.toFixed(1)} s.\n`);
    process.exit(0);
  }
  process.stderr.write(`${result.problems.join('\n')}\n`);
  process.exit(1);
}

function greeting(service: RunningService, config: Config): string {
  const lines = [`cloud-browser is ready: ${service.demoUrl}`];
  if (config.apiKeyGenerated)
    lines.push(`API key for this run:   ${config.apiKeys[0]} (set API_KEYS to choose your own)`);
  return `\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`;
}

/**
 * Prints the next address of the demo. Each address has a one-time secret, so each address opens the demo in
 * one browser only.
 */
function onDemoUrl(url: string): void {
  process.stdout.write(`  For another browser:    ${url}\n`);
}

function exits(log: Log): Pick<ExitOptions, 'exit' | 'clock' | 'log'> {
  return { exit: (code) => process.exit(code), clock: systemClock, log };
}

/**
 * Stops the service at a signal, and ends the process at a second signal. A service that is still starting
 * first finishes its start. Otherwise its node would stay in the cluster until it is declared lost.
 */
function stopOnSignals(
  starting: Promise<RunningService>,
  { drainSeconds }: Config,
  log: Log,
): { readonly requested: boolean } {
  const stopping = { requested: false };
  const stop = (cause: Record<string, string>) => {
    stopping.requested = true;
    log.info('stopping', { ...cause, drainSeconds });
    const limit = drainSeconds * 1000 + CLOSE_TIMEOUT_MS;
    // After a failed start, other code reports the error and ends the process.
    const never = () => new Promise<void>(() => undefined);
    const closing = starting.then((service) => service.close(), never);
    exitWhenClosed(closing, { ...exits(log), limit, closed: 0, failed: 1 });
  };
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping.requested) process.exit(1);
    stop({ signal });
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  if (isStartedByNpx())
    onNpxEnd(systemClock, () => {
      if (!stopping.requested) stop({ reason: 'npx has ended' });
    });
  return stopping;
}

run().catch((error: unknown) => {
  // The messages of errors with these codes are sentences for the operator. All other errors are defects, and
  // are printed with their stack.
  const told = error instanceof Error && 'code' in error && String(error.code).startsWith('err_');
  process.stderr.write(`${told ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(error instanceof NameTakenError ? NAME_TAKEN_EXIT_CODE : 1);
});
