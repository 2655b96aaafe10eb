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
import { Gateway } from './gateway/gateway.js';
import { buildApp } from './http/app.js';
import { builtPages } from './http/pages/built-pages.js';
import { UnderWay } from './http/under-way.js';
import { joinCluster } from './join-cluster.js';
import { lookAtNodes } from './operator/look-at-nodes.js';
import { NodeHistory } from './operator/node-history.js';
import { singleNode } from './operator/single-node.js';
import { Attempts } from './platform/attempts.js';
import { systemClock } from './platform/clock.js';
import { inTime } from './platform/in-time.js';
import type { Log } from './platform/log.js';
import { localUrl } from './platform/loopback.js';
import { AllowedOrigins } from './platform/origins.js';
import { isPortFree, portOf } from './platform/port.js';
import { RefusalLog } from './platform/refusal-log.js';
import { hostEntry, ForkedHostPool } from './pool/host-pool.js';
import { EgressProcess } from './pool/egress-process.js';
import { ControlGroups } from './pool/groups/control-groups.js';
import { EGRESS_UID_OFFSET, Places } from './pool/places.js';
import { EmbedAccess } from './sessions/embed-access.js';
import { OneMachine } from './sessions/one-machine.js';
import { NO_OTHER_NODES } from './sessions/other-nodes.js';
import { SessionMetrics } from './sessions/session-metrics.js';
import { SessionService } from './sessions/session-service.js';
import { openFiles } from './storage.js';
import { homeOf, StartError, takeStateDirectory } from './state-directory.js';
import { DurableEventQueue } from './webhooks/event-queue.js';
import { GuardedClient } from './webhooks/guarded-client.js';

/** For requests that are being answered when the service ends, in milliseconds. */
const UNDER_WAY_MS = 5_000;

/** A service that takes requests. */
export interface RunningService {
  /** Where viewers reach it, without a trailing slash. */
  url: string;
  /** Where a person opens the demo. With a key made for this run it ends in a one-time secret that the demo buys that key with. */
  demoUrl: string;
  /**
   * Ends every session, those with viewers after `DRAIN_SECONDS` or as many seconds as are said, then the service; resolves when
   * nothing of it runs any more.
   */
  close(drainSeconds?: number): Promise<void>;
}

/** What a service may be given besides its configuration. */
export interface ServiceOptions {
  /** The main module of session hosts; by default the one that belongs to this code. */
  hostEntry?: string;
  /** Rejects when a browser would not be confined on this machine; the service then refuses to start. */
  proveSandbox?: (places: Places, egress: EgressProcess) => Promise<void>;
  /** Told the next address of the demo when one with a one-time secret was used. */
  onDemoUrl?: (url: string) => void;
  /** Told when another process has joined the cluster under this node's name: this one is to be closed at once. */
  onSuperseded?: () => void;
}

/** Puts the service together and starts it. Throws an error whose message says what to do. */
export async function startService(
  config: Config,
  log: Log,
  options: ServiceOptions = {},
): Promise<RunningService> {
  await requireFreePort(config);
  const stateLock = await takeStateDirectory(config.stateDir);
  const run = randomUUID();
  const onSuperseded = () => options.onSuperseded?.();
  // Ends what a killed service has left: its tags are free when this one has joined.
  const places = await Places.open(config.runtimeDir, config.sessionUidBase, await realpath(config.stateDir));
  const home = await homeOf(config.stateDir);
  const joining = { run, home, log, onSuperseded };
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
  // While the first host loads; nobody is let in before it is done.
  const proof = options.proveSandbox?.(places, egress) ?? Promise.resolve();
  proof.catch(() => undefined);

  const groups = ControlGroups.open(config.limits);
  log.info('what holds sessions to their limits', { ...groups.walls });
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
    onSpare: sessionMetrics.spare,
  });
  sessionMetrics.watchSpares(() => pool.spareAges);
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
    placement: joined?.cluster.placement ?? new OneMachine(config, systemClock),
    otherNodes,
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
  const underWay = new UnderWay();
  let draining = false;
  const alone = () =>
    singleNode({
      ...{ name: hostname(), url, draining, regions: config.regions },
      ...{ sessionRoom: config.maxSessions, held: sessions.held.values() },
    });
  const report = (seconds: number) => history.report(seconds);
  const app = await buildApp({
    sessions,
    otherNodes,
    mayBegin: (id) => joined?.cluster.placement.holds(id) ?? Promise.resolve(true),
    steadyFor: () => joined?.cluster.steadyFor ?? 0,
    report,
    lookAtNodes: (seconds) => {
      const summaries = joined?.cluster.summaries ?? [alone()];
      return lookAtNodes({ summaries, report: report(seconds), otherNodes }, seconds);
    },
    tokens,
    embedAccess,
    apiKeys: new ApiKeys(config.apiKeys),
    operatorKeys: new ApiKeys(config.operatorKeys),
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
      // Behind proxies of ours all connections come from those.
      perAddress: proxies > 0 ? undefined : config.maxConnectionsPerAddress,
    },
  }).serve(app.server);

  const close = async (drainSeconds?: number) => {
    draining = true;
    joined?.cluster.drain();
    await sessions.close(drainSeconds);
    // What has come meanwhile is answered: others may be beginning sessions for this node's clients.
    app.server.close();
    await inTime(underWay.settled(), UNDER_WAY_MS, () => log.warn('requests were cut off'));
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
  } catch (error) {
    await close();
    throw error;
  }
  return { url, demoUrl: demoKey ? demoUrl(demoKey.secret) : url, close };
}

/** Before anything else, because this is what most often is in the way. */
async function requireFreePort({ host, port }: Config): Promise<void> {
  if (port === 0) return;
  let free: boolean;
  try {
    free = await isPortFree(host, port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `HOST=${host} PORT=${port} cannot be listened on (${code}). Set HOST or PORT to something else.`,
    );
  }
  if (!free)
    throw new StartError(
      `Port ${port} on ${host} is taken by another program. Stop that, or set PORT to another port.`,
    );
}
