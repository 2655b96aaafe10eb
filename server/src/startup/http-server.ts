import { hostname } from 'node:os';
import type { Registry } from 'prom-client';
import { ApiKeys } from '../auth/api-keys.js';
import { DemoKey } from '../auth/demo-key.js';
import type { DerivedTokens } from '../auth/tokens.js';
import { hasHeadroom } from '../cluster/placement/headroom.js';
import type { Config } from '../config/load-config.js';
import { readExtension } from '../extensions/read-extension.js';
import { Gateway } from '../gateway/gateway.js';
import { buildApp } from '../http/app.js';
import { OpenRequests } from '../http/open-requests.js';
import { builtPages } from '../http/pages/built-pages.js';
import type { JoinedCluster } from './join-cluster.js';
import { listenError } from './listening-port.js';
import type { NodeHistory } from '../operator/node-history.js';
import { nodeOverview } from '../operator/node-overview.js';
import { singleNode } from '../operator/single-node.js';
import type { Log } from '../platform/log.js';
import { localUrl } from '../platform/network/loopback.js';
import { AllowedOrigins } from '../platform/network/origins.js';
import { portOf } from '../platform/network/port.js';
import { Attempts } from '../platform/rates/attempts.js';
import { RefusalLog } from '../platform/refusal-log.js';
import { systemClock } from '../platform/time/clock.js';
import { withTimeout } from '../platform/time/timeout.js';
import { NO_OTHER_NODES } from '../sessions/placement/other-nodes.js';
import type { StartHealth } from '../sessions/placement/start-health.js';
import type { SessionMetrics } from '../sessions/records/session-metrics.js';
import type { SessionService } from '../sessions/session-service.js';
import { SessionAccess } from '../sessions/tokens/session-access.js';
import { AutomationAccess } from '../sessions/viewers/automation-access.js';
import type { Recordings } from '../sessions/recordings/recordings.js';
import { RequestRates } from '../sessions/viewers/request-rates.js';
import { EmbedAccess } from '../sessions/viewers/embed-access.js';

/** Milliseconds for which the service waits for open requests before it ends. */
const OPEN_REQUESTS_MS = 5_000;

/** Parts of the service that its HTTP server makes available. */
export interface HttpServerParts {
  config: Config;
  log: Log;
  sessions: SessionService;
  tokens: DerivedTokens;
  metrics: Registry;
  sessionMetrics: SessionMetrics;
  history: NodeHistory;
  starts: StartHealth;
  joined: JoinedCluster | undefined;
  recordings: Recordings;
  /**
   * Called with the new address of the demo after a person has used the previous address, which contains a
   * one-time secret.
   */
  onDemoUrl: ((url: string) => void) | undefined;
}

/** The HTTP server with all routes, and the gateway for WebSockets. */
export class HttpServer {
  #url: string;
  #draining = false;
  #app: Awaited<ReturnType<typeof buildApp>> | undefined;
  readonly #demoKey: DemoKey | undefined;
  readonly #openRequests = new OpenRequests();

  private constructor(private readonly parts: HttpServerParts) {
    const { config, onDemoUrl } = parts;
    this.#url = config.publicUrl ?? localUrl(config.host, config.port);
    const [key] = config.apiKeyGenerated ? config.apiKeys : [];
    if (key !== undefined)
      this.#demoKey = new DemoKey(key, (secret) => onDemoUrl?.(this.#demoUrlWith(secret)));
  }

  /** Builds the server. It does not listen yet. */
  static async build(parts: HttpServerParts): Promise<HttpServer> {
    const server = new HttpServer(parts);
    await server.#build();
    return server;
  }

  /** Address for viewers, without a trailing slash. The address is final after {@link listen}. */
  get url(): string {
    return this.#url;
  }

  /** Address at which a person opens the demo. */
  get demoUrl(): string {
    return this.#demoKey ? this.#demoUrlWith(this.#demoKey.secret) : this.#url;
  }

  /** True if the service has generated the API key. Then people can use the demo without entering a key. */
  get hasDemo(): boolean {
    return this.#demoKey !== undefined;
  }

  /** Accepts requests. Resolves with the TCP port. */
  async listen(): Promise<number> {
    const { config } = this.parts;
    if (!this.#app) throw new Error('The server is not built.');
    // The port was free at the beginning of the start. Another program may have taken it since then.
    await this.#app.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
      throw listenError(error, config);
    });
    const port = portOf(this.#app.server.address());
    this.#url = config.publicUrl ?? localUrl(config.host, port);
    return port;
  }

  /** From now on, reports this node to operators as draining. */
  drain(): void {
    this.#draining = true;
  }

  /**
   * Stops accepting connections, and waits until the open requests are answered. Other nodes may still be
   * starting sessions for some of these requests.
   */
  async settle(): Promise<void> {
    this.#app?.server.close();
    const { log } = this.parts;
    await withTimeout(this.#openRequests.settled(), OPEN_REQUESTS_MS, () =>
      log.warn('stopped waiting for open requests'),
    );
  }

  async close(): Promise<void> {
    await this.#app?.close();
  }

  #demoUrlWith(secret: string): string {
    return `${this.#url}/#start=${secret}`;
  }

  async #build(): Promise<void> {
    const { config, log, sessions, tokens, metrics, sessionMetrics, history, joined, recordings } =
      this.parts;
    const { proxies } = config;
    const otherNodes = joined?.cluster.otherNodes ?? NO_OTHER_NODES;
    const access = new SessionAccess(sessions, tokens);
    const shared = {
      ...{ otherNodes, proxies, log, access },
      embedAccess: new EmbedAccess(sessions, access),
      automationAccess: new AutomationAccess(sessions, access),
      attempts: new Attempts(),
      requestRates: new RequestRates(),
      refusals: new RefusalLog(log),
      origins: new AllowedOrigins(config.allowedOrigins, () => this.#url),
    };
    const report = (seconds: number) => history.report(seconds);
    const app = await buildApp({
      ...shared,
      ...{ sessions, tokens, metrics, report, readExtension, demoKey: this.#demoKey, recordings },
      canStart: (id) => joined?.cluster.placement.holds(id) ?? Promise.resolve(true),
      connectedFor: () => joined?.cluster.connectedFor ?? 0,
      nodeOverview: (seconds) => {
        const summaries = joined?.cluster.summaries ?? [this.#ownSummary()];
        return nodeOverview({ summaries, report: report(seconds), otherNodes }, seconds);
      },
      apiKeys: new ApiKeys(config.apiKeys),
      operatorKeys: new ApiKeys(config.operatorKeys),
      scrapeKeys: new ApiKeys([...config.metricsKeys, ...config.apiKeys]),
      onRefusal: sessionMetrics.rejected,
      pages: builtPages(config.docsDir),
      openRequests: this.#openRequests,
      publicUrl: () => this.#url,
      publicUrlOf: (id) => joined?.cluster.publicUrlOf(id) ?? this.#url,
    });
    new Gateway({
      ...shared,
      clock: systemClock,
      limits: {
        inAll: config.maxConnections,
        // Behind the operator's own proxies, all connections have the proxies' addresses. A limit per address
        // would limit all clients together.
        perAddress: proxies > 0 ? undefined : config.maxConnectionsPerAddress,
      },
    }).serve(app.server);
    this.#app = app;
  }

  /** Returns the summary of a service that is the only node. */
  #ownSummary() {
    const { config, sessions, starts } = this.parts;
    return singleNode({
      ...{ name: hostname(), url: this.#url, draining: this.#draining, regions: config.regions },
      ...{ sessionRoom: config.maxSessions, held: sessions.held.values() },
      ...{ startsSessions: starts.ready, hasResources: hasHeadroom() },
    });
  }
}
