import { rm } from 'node:fs/promises';
import type { Config } from '../../config/load-config.js';
import { codecProblem, missingParts } from '../../host/needed-parts.js';
import { systemClock } from '../../platform/time/clock.js';
import { createLog } from '../../platform/log.js';
import { SessionGroup } from '../../pool/groups/session-group.js';
import { ForkedHostPool, hostEntry } from '../../pool/host-pool.js';
import { HostFailure } from '../../pool/host/host-failure.js';
import { Places } from '../../pool/places.js';
import { makeCheckDirectory, removeLeftChecks } from './check-directories.js';
import { trialSession } from './trial-session.js';

/** Parts of the configuration that a check needs. */
type CheckConfig = Pick<Config, 'runtimeDir' | 'sessionUidBase' | 'limits' | 'hostEnvironment'>;

/** Result of a check: the seconds that the trial start took, or a sentence for each problem. */
export type CheckResult = { seconds: number } | { problems: readonly string[] };

/**
 * Checks that all programs of a session are installed, and starts one session. A service may run on this
 * machine at the same time.
 */
export async function checkMachine(config: CheckConfig): Promise<CheckResult> {
  const problems = await missingParts(config.sessionUidBase);
  if (problems.length > 0) return { problems };
  const codec = await codecProblem();
  if (codec !== undefined) return { problems: [codec] };
  const began = performance.now();
  try {
    await startOne(config);
  } catch (error) {
    return { problems: [`No session starts on this machine: ${reasonOf(error)}`] };
  }
  return { seconds: (performance.now() - began) / 1000 };
}

/**
 * Starts a session and ends it. Uses a temporary directory, because a service may be using the configured
 * directory.
 */
async function startOne({ runtimeDir, sessionUidBase, limits, hostEnvironment }: CheckConfig): Promise<void> {
  // A directory that cannot be removed says nothing about this machine's sessions.
  await removeLeftChecks(runtimeDir).catch(() => undefined);
  const directory = await makeCheckDirectory(runtimeDir, sessionUidBase !== undefined);
  try {
    const pool = new ForkedHostPool({
      entry: hostEntry(),
      environment: hostEnvironment,
      // The page is empty, so the browser connects to no host.
      egress: { open: () => () => undefined },
      limits,
      groups: { create: () => new SessionGroup(new Map(), limits.cpuWeight) },
      clock: systemClock,
      log: createLog('silent', () => undefined),
      places: await Places.open(directory, sessionUidBase, directory),
      warmHosts: 0,
      warmBrowsers: 0,
    });
    try {
      await pool.tryStart(trialSession());
    } finally {
      await pool.close();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const output = error instanceof HostFailure ? error.output.trim() : '';
  return output === '' ? error.message : `${error.message}\n${output}`;
}
