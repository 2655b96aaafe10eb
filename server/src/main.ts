import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { hostname } from 'node:os';
import { Registry } from 'prom-client';
import { ApiKeys } from './auth/api-keys.js';
import { DemoKey } from './auth/demo-key.js';
import { DerivedTokens } from './auth/tokens.js';
import { watchCluster } from './cluster/cluster-metrics.js';
import type { Config } from './config/load-config.js';
import { readExtension } from './extensions/read-extension.js';
import { demoSessions } from './demo-sessions.js';
import { Gateway } from './gateway/gateway.js';
import { buildApp } from './http/app.js';
import { builtPages } from './http/pages/built-pages.js';
import { OpenRequests } from './http/open-requests.js';
import { joinCluster } from './join-cluster.js';
import { nodeOverview } from './operator/node-overview.js';
import { NodeHistory } from './operator/node-history.js';
import { singleNode } from './operator/single-node.js';
import { Attempts } from './platform/rates/attempts.js';
import { systemClock } from './platform/time/clock.js';
import { withTimeout } from './platform/time/timeout.js';
import type { Log } from './platform/log.js';
import { localUrl } from './platform/network/loopback.js';
import { AllowedOrigins } from './platform/network/origins.js';
import { isPortFree, portOf } from './platform/network/port.js';
import { RefusalLog } from './platform/refusal-log.js';
import { hostEntry, ForkedHostPool } from './pool/host-pool.js';
import { EgressProcess } from './pool/egress-process.js';
import { ControlGroups } from './pool/groups/control-groups.js';
import { EGRESS_UID_OFFSET, Places } from './pool/places.js';
import { EmbedAccess } from './sessions/viewers/embed-access.js';
import { SingleMachinePlacement } from './sessions/placement/single-machine-placement.js';
import { NO_OTHER_NODES } from './sessions/placement/other-nodes.js';
import { SessionMetrics } from './sessions/records/session-metrics.js';
import { SessionService } from './sessions/session-service.js';
import { StartHealth } from './sessions/placement/start-health.js';
import { openFiles } from './storage.js';
import { homeOf, StartError, takeStateDirectory } from './state-directory.js';
import { DurableEventQueue } from './webhooks/event-queue.js';
import { trialSession } from './trial-session.js';
import { GuardedClient } from './webhooks/guarded-client.js';

/** Time in milliseconds for open requests when the service ends. */
const UNDER_WAY_MS = 5_000;

/** A service that accepts requests. */
export interface RunningService {
  /** Address for viewers, without a trailing slash. */
  url: string;
  /**
   * Address at which a person opens the demo. With a key made for this run, it ends in a one-time secret that
   * the demo exchanges for the key.
   */
  demoUrl: string;
  /**
   * Ends every session and then the service. Sessions with viewers get `DRAIN_SECONDS`, or the given seconds.
   * Resolves when all its processes have ended.
   */
  close(drainSeconds?: number): Promise<void>;
}

/** Options of a service besides its configuration. */
export interface ServiceOptions {
  /** Main module of session hosts. Default: the one of this build. */
  hostEntry?: string;
  /** Rejects if a browser would not be confined on this machine. The service then refuses to start. */
  proveSandbox?: (places: Places, egress: EgressProcess) => Promise<void>;
  /** Called with the next address of the demo after the one-time secret of the last one was used. */
  onDemoUrl?: (url: string) => void;
  /**
   * Called when another process has joined the cluster under this node's name. The caller must close this
   * service at once.
   */
  onSuperseded?: () => void;
}

/**
 * Builds the service from its parts and starts it. Throws an error whose message tells the operator what to
 * do.
 */
export async function startService(
  config: Config,
  log: Log,
  options: ServiceOptions = {},
): Promise<RunningService> {
  await requireFreePort(config);
  const stateLock = await takeStateDirectory(config.stateDir);
  const run = randomUUID();
  let takenOver = false;
  const onSuperseded = () => {
    takenOver = true;
    options.onSuperseded?.();
  };
  // Ends the sessions that a killed service left running, so that their tags are free when this service has
  // joined.
  const places = await Places.open(config.runtimeDir, config.sessionUidBase, await realpath(config.stateDir));
  const home = await homeOf(config.stateDir);
  const starts: StartHealth = new StartHealth({
    tryStart: () => pool.tryStart(trialSession()),
    clock: systemClock,
    log,
    onFailure: (stage) => sessionMetrics.startFailure(stage),
    onChange: () => joined?.cluster.offerChanged(),
  });
  const joining = { run, home, log, onSuperseded, startsSessions: () => starts.ready };
  const joined = config.cluster && (await joinCluster(config, config.cluster, joining));
  const storage = joined?.storage ?? (await openFiles(config, { clock: systemClock, log }));
  const tokens = new DerivedTokens(storage.serverKey);
  const metrics = new Registry();
  const history = new NodeHistory({
    version: builtPages(config.docsDir).element.version,
    run,
    clock: systemClock,
    database: () => joined?.database.available ?? null,
  });
  const sessionMetrics = new SessionMetrics(metrics, history);
  const uid = config.sessionUidBase === undefined ? undefined : config.sessionUidBase + EGRESS_UID_OFFSET;
  const egress = await EgressProcess.start({
    settings: {
      allow: config.egress.entries,
      nameServers: config.egressNameServers,
      ...(uid !== undefined && { uid }),
    },
    environment: config.hostEnvironment,
    clock: systemClock,
    log,
    onRefused: sessionMetrics.egressRefused,
    onRestart: sessionMetrics.egressRestarted,
  });
  // Runs while the first host loads. The service listens only after it is complete.
  const proof = options.proveSandbox?.(places, egress) ?? Promise.resolve();
  proof.catch(() => undefined);

  const groups = ControlGroups.open(config.limits);
  log.info('enforcement of session limits', { ...groups.walls });
  const pool = new ForkedHostPool({
    entry: options.hostEntry ?? hostEntry(),
    environment: config.hostEnvironment,
    egress,
    limits: config.limits,
    groups,
    clock: systemClock,
    log,
    places,
    warmHosts: config.warmHosts,
    warmBrowsers: config.warmBrowsers,
    onWarmBrowser: sessionMetrics.warmBrowser,
    onFailure: (stage, problem) => starts.failed(stage, problem),
  });
  sessionMetrics.watchStarts(() => starts.ready);
  sessionMetrics.watchWarmBrowsers(() => pool.warmBrowserAges);
  const webhooks = new GuardedClient(config.egress);
  const events = await DurableEventQueue.open({
    store: storage.events,
    client: webhooks,
    clock: systemClock,
    log,
    onAttempt: sessionMetrics.event,
  });
  if (joined) watchCluster(metrics, joined.cluster, joined.database);
  const otherNodes = joined?.cluster.otherNodes ?? NO_OTHER_NODES;
  const sessions = new SessionService({
    pool,
    registry: storage.registry,
    tokens,
    profiles: storage.profiles,
    profileClaims: storage.profileClaims,
    ...(joined && { database: joined.database }),
    webhooks,
    events,
    metrics: sessionMetrics,
    clock: systemClock,
    log,
    placement: joined?.cluster.placement ?? new SingleMachinePlacement(config, systemClock),
    otherNodes,
    starts,
    run,
    regions: () => joined?.cluster.regions ?? config.regions,
    recordDays: config.recordDays,
    drainSeconds: config.drainSeconds,
  });
  await sessions.recover();
  await joined?.cluster.start(sessions, joined.storage.registry);
  history.start(() => ({ sessions: sessions.held.size, viewers: sessionMetrics.viewers }));

  let url = config.publicUrl ?? localUrl(config.host, config.port);
  const demoUrl = (secret: string) => `${url}/#start=${secret}`;
  const [key] = config.apiKeyGenerated ? config.apiKeys : [];
  const demoKey =
    key === undefined ? undefined : new DemoKey(key, (secret) => options.onDemoUrl?.(demoUrl(secret)));
  const embedAccess = new EmbedAccess(sessions, tokens);
  const attempts = new Attempts();
  const refusals = new RefusalLog(log);
  const origins = new AllowedOrigins(config.allowedOrigins, () => url);
  const { proxies } = config;
  const underWay = new OpenRequests();
  let draining = false;
  const alone = () =>
    singleNode({
      ...{ name: hostname(), url, draining, regions: config.regions },
      ...{ sessionRoom: config.maxSessions, held: sessions.held.values(), headroom: starts.ready },
    });
  const report = (seconds: number) => history.report(seconds);
  const app = await buildApp({
    sessions,
    otherNodes,
    canStart: (id) => joined?.cluster.placement.holds(id) ?? Promise.resolve(true),
    steadyFor: () => joined?.cluster.steadyFor ?? 0,
    report,
    nodeOverview: (seconds) => {
      const summaries = joined?.cluster.summaries ?? [alone()];
      return nodeOverview({ summaries, report: report(seconds), otherNodes }, seconds);
    },
    tokens,
    embedAccess,
    apiKeys: new ApiKeys(config.apiKeys),
    operatorKeys: new ApiKeys(config.operatorKeys),
    scrapeKeys: new ApiKeys([...config.metricsKeys, ...config.apiKeys]),
    readExtension,
    metrics,
    onRefusal: sessionMetrics.rejected,
    attempts,
    refusals,
    origins,
    proxies,
    demoKey,
    pages: builtPages(config.docsDir),
    underWay,
    publicUrl: () => url,
    publicUrlOf: (id) => joined?.cluster.publicUrlOf(id) ?? url,
    log,
  });
  new Gateway({
    embedAccess,
    otherNodes,
    log,
    clock: systemClock,
    proxies,
    origins,
    attempts,
    refusals,
    limits: {
      inAll: config.maxConnections,
      // Behind the operator's own proxies, all connections have the proxies' addresses.
      perAddress: proxies > 0 ? undefined : config.maxConnectionsPerAddress,
    },
  }).serve(app.server);

  const close = async (drainSeconds?: number) => {
    draining = true;
    starts.stop();
    joined?.cluster.drain();
    await sessions.close(drainSeconds, takenOver ? 'taken_over' : undefined);
    // Still answers the open requests, because other nodes may be starting sessions for this node's clients.
    app.server.close();
    await withTimeout(underWay.settled(), UNDER_WAY_MS, () => log.warn('requests were cut off'));
    await Promise.all([app.close(), pool.close()]);
    await egress.close();
    events.close();
    await storage.close();
    history.stop();
    await joined?.cluster.close();
    await joined?.database.close();
    stateLock.release();
  };
  try {
    await proof;
    await app.listen({ host: config.host, port: config.port });
    const port = portOf(app.server.address());
    egress.protectService(port);
    url = config.publicUrl ?? localUrl(config.host, port);
    await joined?.cluster.accept();
    if (demoKey) pool.keepWarm(demoSessions());
  } catch (error) {
    await close();
    throw error;
  }
  return { url, demoUrl: demoKey ? demoUrl(demoKey.secret) : url, close };
}

/** Checked first, because a taken port is the most frequent problem. */
async function requireFreePort({ host, port }: Config): Promise<void> {
  if (port === 0) return;
  let free: boolean;
  try {
    free = await isPortFree(host, port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `The service cannot listen on HOST=${host} PORT=${port} (${code}). Set HOST or PORT to another value.`,
    );
  }
  if (!free)
    throw new StartError(
      `Port ${port} on ${host} is used by another program. Stop that program, or set PORT to another port.`,
    );
}
