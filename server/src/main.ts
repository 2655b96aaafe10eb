import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { Registry } from 'prom-client';
import { DerivedTokens } from './auth/tokens.js';
import { watchCluster } from './cluster/cluster-metrics.js';
import type { Config } from './config/load-config.js';
import { requireDocs } from './startup/configured-directories.js';
import { demoSessions } from './startup/demo-sessions.js';
import { builtPages } from './http/pages/built-pages.js';
import { HttpServer } from './startup/http-server.js';
import { joinCluster, type JoinedCluster } from './startup/join-cluster.js';
import { requireFreePort } from './startup/listening-port.js';
import { NodeHistory } from './operator/node-history.js';
import type { Log } from './platform/log.js';
import { Scope } from './platform/scope.js';
import { systemClock } from './platform/time/clock.js';
import type { EgressProcess } from './pool/egress-process.js';
import { ControlGroups } from './pool/groups/control-groups.js';
import type { ForkedHostPool } from './pool/host-pool.js';
import { Places } from './pool/places.js';
import { NO_OTHER_NODES } from './sessions/placement/other-nodes.js';
import { openRecordings } from './startup/open-recordings.js';
import { SingleMachinePlacement } from './sessions/placement/single-machine-placement.js';
import { StartHealth } from './sessions/placement/start-health.js';
import { SessionMetrics } from './sessions/records/session-metrics.js';
import { SessionService } from './sessions/session-service.js';
import { startEgress, startPool } from './startup/start-pool.js';
import { startErrorOf } from './startup/start-error.js';
import { requireOpenFiles, requireProcesses } from './startup/system-limits.js';
import { homeOf, takeStateDirectory } from './startup/state-directory.js';
import { openFiles } from './startup/storage.js';
import { trialSession } from './startup/checks/trial-session.js';
import { DurableEventQueue } from './webhooks/event-queue.js';
import { GuardedClient } from './webhooks/guarded-client.js';

/** A service that accepts requests. */
export interface RunningService {
  /** Address for viewers, without a trailing slash. */
  url: string;
  /**
   * Address at which a person opens the demo. If the API key was generated for this run, the address ends in
   * a one-time secret, which the demo exchanges for the key.
   */
  demoUrl: string;
  /**
   * Ends every session and then the service. Sessions with viewers continue for `DRAIN_SECONDS`, or for the
   * given number of seconds. A later call can shorten this time, but cannot extend it. Resolves when all
   * processes of the service have ended.
   */
  close(drainSeconds?: number): Promise<void>;
}

/** Options of a service besides its configuration. */
export interface ServiceOptions {
  /** Main module of session hosts. Default: the module of this build. */
  hostEntry?: string;
  /**
   * Checks that the sandbox confines browsers on this machine. Rejects if it does not. The service then
   * refuses to start.
   */
  proveSandbox?: (places: Places, egress: EgressProcess) => Promise<void>;
  /** Called with the next address of the demo after the one-time secret of the current address was used. */
  onDemoUrl?: (url: string) => void;
  /**
   * Called when another process has joined the cluster under this node's name. The caller must close this
   * service at once.
   */
  onSuperseded?: () => void;
}

/** Requested end of a service. */
interface Ending {
  drainSeconds?: number | undefined;
  /** True if another process has joined the cluster under this node's name. */
  takenOver: boolean;
}

/**
 * Builds the service from its parts and starts it. After a failure, closes the started parts. Throws an error
 * whose message tells the operator what to do.
 */
export async function startService(
  config: Config,
  log: Log,
  options: ServiceOptions = {},
): Promise<RunningService> {
  // First, because a taken port is the most frequent problem.
  await requireFreePort(config);
  requireDocs(config.docsDir);
  requireOpenFiles();
  requireProcesses();
  const scope = new Scope();
  try {
    return await startIn(scope, config, log, options);
  } catch (error) {
    // The reason of the failed start must reach the operator even if a part cannot be closed.
    await scope
      .close()
      .catch((cause: unknown) => log.error('could not close the started parts', { error: cause }));
    throw startErrorOf(error);
  }
}

/** Starts all parts of the service. The scope owns them, and closes them in reverse order. */
async function startIn(
  scope: Scope,
  config: Config,
  log: Log,
  options: ServiceOptions,
): Promise<RunningService> {
  const stateLock = await takeStateDirectory(config.stateDir);
  scope.atEnd(() => stateLock.release());
  const run = randomUUID();
  const ending: Ending = { takenOver: false };
  // Ends the sessions that a killed service left running, so that their tags are free when this service joins
  // the cluster.
  const places = await Places.open(config.runtimeDir, config.sessionUidBase, await realpath(config.stateDir));
  const starts: StartHealth = new StartHealth({
    tryStart: () => pool.tryStart(trialSession()),
    clock: systemClock,
    log,
    onFailure: (stage) => sessionMetrics.startFailure(stage),
    onChange: () => joined?.cluster.offerChanged(),
  });
  const joined = await join(config, scope, {
    ...{ run, log, home: await homeOf(config.stateDir), startsSessions: () => starts.ready },
    onSuperseded: () => {
      ending.takenOver = true;
      options.onSuperseded?.();
    },
  });
  const history = new NodeHistory({
    version: builtPages(config.docsDir).element.version,
    run,
    clock: systemClock,
    database: () => joined?.database.available ?? null,
  });
  scope.atEnd(() => history.stop());
  const storage = joined?.storage ?? (await openFiles(config, { clock: systemClock, log }));
  scope.atEnd(() => storage.close());
  const metrics = new Registry();
  const sessionMetrics = new SessionMetrics(metrics, history);
  const webhooks = new GuardedClient(config.egress);
  const events = await DurableEventQueue.open({
    store: storage.events,
    client: webhooks,
    clock: systemClock,
    log,
    onAttempt: sessionMetrics.event,
  });
  scope.atEnd(() => events.close());
  // On some machines the service may divide its control group only while the group contains no other process.
  // So this step precedes the start of the first child process.
  const groups = ControlGroups.open(config.limits);
  const egress = await startEgress(config, log, sessionMetrics);
  scope.atEnd(() => egress.close());
  // The check of the sandbox runs while the first host loads. The service listens only after this check.
  const proof = options.proveSandbox?.(places, egress) ?? Promise.resolve();
  proof.catch(() => undefined);
  const hosts = { places, egress, groups, starts, metrics: sessionMetrics, entry: options.hostEntry };
  const pool: ForkedHostPool = startPool(config, log, hosts);
  const recordingsEnd: { close?: () => Promise<void> } = {};
  scope.atEnd(async () => recordingsEnd.close?.());
  const built: { server?: HttpServer } = {};
  scope.atEnd(async () => {
    await Promise.all([built.server?.close(), pool.close()]);
  });
  if (joined) {
    watchCluster(metrics, joined.cluster, joined.database);
    // While the database is unavailable, saves of profiles fail, and the pauses before the next attempts
    // grow. No other session can save such a profile until it is saved. So the attempts follow soon after the
    // database is available again.
    const stopWatching = joined.database.watch((available) => {
      if (available) pool.retrySaves();
    });
    scope.atEnd(stopWatching);
  }
  const tokens = new DerivedTokens(storage.serverKey);
  const recordings = await openRecordings(config, {
    ...{ log, joined, events, key: storage.profileKey },
  });
  // Runs after all hosts have ended, so that the last parts of their recordings are stored.
  recordingsEnd.close = () => recordings.close();
  const sessions = new SessionService({
    ...{ pool, tokens, webhooks, events, metrics: sessionMetrics, clock: systemClock, log, starts, run },
    registry: storage.registry,
    recordings,
    profiles: storage.profiles,
    profileClaims: storage.profileClaims,
    ...(joined && { database: joined.contact }),
    placement: joined?.cluster.placement ?? new SingleMachinePlacement(config, systemClock),
    otherNodes: joined?.cluster.otherNodes ?? NO_OTHER_NODES,
    regions: () => joined?.cluster.regions ?? config.regions,
    recordDays: config.recordDays,
    drainSeconds: config.drainSeconds,
  });
  const endSessions = () => sessions.close(ending.drainSeconds, ending.takenOver ? 'taken_over' : undefined);
  scope.atEnd(async () => {
    built.server?.drain();
    starts.stop();
    joined?.cluster.drain();
    await endSessions();
    // Otherwise these requests would lose their connection, because they wait longer than `settle`.
    joined?.cluster.placement.refuseWaiting();
    await built.server?.settle();
  });
  await recordings.recover();
  await sessions.recover();
  await joined?.cluster.start(sessions, joined.storage.registry);
  history.start(() => ({
    sessions: sessions.held.size,
    viewers: sessionMetrics.viewers,
    agents: sessionMetrics.agents.agents,
  }));
  const server = await HttpServer.build({
    ...{ config, log, sessions, tokens, metrics, sessionMetrics, history, starts, joined, recordings },
    onDemoUrl: options.onDemoUrl,
  });
  built.server = server;
  await proof;
  egress.protectService(await server.listen());
  await joined?.cluster.accept();
  if (server.hasDemo) pool.keepWarm(demoSessions());
  return {
    url: server.url,
    demoUrl: server.demoUrl,
    close: async (drainSeconds) => {
      ending.drainSeconds = drainSeconds;
      // An earlier call may still wait for sessions with viewers. If this call gives them less time, they end
      // earlier.
      if (scope.isClosing) await endSessions();
      await scope.close();
    },
  };
}

/** Joins the cluster, if the service is part of one. Leaves the cluster when the scope closes. */
async function join(
  config: Config,
  scope: Scope,
  process: Parameters<typeof joinCluster>[2],
): Promise<JoinedCluster | undefined> {
  if (!config.cluster) return undefined;
  const joined = await joinCluster(config, config.cluster, process);
  scope.atEnd(async () => {
    await joined.cluster.close();
    await joined.database.close();
  });
  return joined;
}
