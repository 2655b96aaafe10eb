import type { Config } from '../config/load-config.js';
import type { Log } from '../platform/log.js';
import { systemClock } from '../platform/time/clock.js';
import { EgressProcess } from '../pool/egress-process.js';
import type { ControlGroups } from '../pool/groups/control-groups.js';
import { ForkedHostPool, hostEntry } from '../pool/host-pool.js';
import { EGRESS_UID_OFFSET, type Places } from '../pool/places.js';
import type { StartHealth } from '../sessions/placement/start-health.js';
import type { SessionMetrics } from '../sessions/records/session-metrics.js';

/** Starts the egress process with the service's rules. */
export function startEgress(config: Config, log: Log, metrics: SessionMetrics): Promise<EgressProcess> {
  const uid = config.sessionUidBase === undefined ? undefined : config.sessionUidBase + EGRESS_UID_OFFSET;
  return EgressProcess.start({
    settings: {
      allow: config.egress.entries,
      nameServers: config.egressNameServers,
      ...(uid !== undefined && { uid }),
    },
    environment: config.hostEnvironment,
    clock: systemClock,
    log,
    onRefused: metrics.egressRefused,
    onRestart: metrics.egressRestarted,
  });
}

/** Parts that a pool of session hosts uses. */
export interface PoolParts {
  places: Places;
  egress: EgressProcess;
  groups: ControlGroups;
  starts: StartHealth;
  metrics: SessionMetrics;
  /** Path of the main module of session hosts. Default: the module of this build. */
  entry: string | undefined;
}

/** Starts the pool of session hosts, with the limits of each session. */
export function startPool(
  config: Config,
  log: Log,
  { places, egress, groups, starts, metrics, entry }: PoolParts,
): ForkedHostPool {
  log.info('enforcement of session limits', { ...groups.walls });
  const pool = new ForkedHostPool({
    entry: entry ?? hostEntry(),
    environment: config.hostEnvironment,
    ...{ egress, groups, places, log, limits: config.limits },
    clock: systemClock,
    warmHosts: config.warmHosts,
    warmBrowsers: config.warmBrowsers,
    onWarmBrowser: metrics.warmBrowser,
    onFailure: (stage, problem) => starts.failed(stage, problem),
  });
  metrics.watchStarts(() => starts.ready);
  metrics.watchWarmBrowsers(() => pool.warmBrowserAges);
  return pool;
}
