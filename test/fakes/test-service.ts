import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { ApiKeys } from '../../server/src/auth/api-keys.js';
import type { DemoKey } from '../../server/src/auth/demo-key.js';
import { DerivedTokens } from '../../server/src/auth/tokens.js';
import type { ConnectionLimits } from '../../server/src/gateway/connection-caps.js';
import { Gateway } from '../../server/src/gateway/gateway.js';
import { buildApp } from '../../server/src/http/app.js';
import { docsSite } from '../../server/src/http/pages/docs-site.js';
import { readExtension } from '../../server/src/extensions/read-extension.js';
import { Attempts } from '../../server/src/platform/rates/attempts.js';
import type { Log } from '../../server/src/platform/log.js';
import { AllowedOrigins } from '../../server/src/platform/network/origins.js';
import { RefusalLog } from '../../server/src/platform/refusal-log.js';
import type { Placement } from '../../server/src/sessions/placement/placement.js';
import type { SingleMachineLimits } from '../../server/src/sessions/placement/single-machine-placement.js';
import type { Region } from '../../server/src/create-fields/values/region.js';
import type { NodeSummary } from '../../server/src/sessions/placement/nodes.js';
import { nodeOverview } from '../../server/src/operator/node-overview.js';
import type { NodeHistory } from '../../server/src/operator/node-history.js';
import { singleNode } from '../../server/src/operator/single-node.js';
import type { Recordings } from '../../server/src/sessions/recordings/recordings.js';
import { SessionAccess } from '../../server/src/sessions/tokens/session-access.js';
import { AutomationAccess } from '../../server/src/sessions/viewers/automation-access.js';
import { RequestRates } from '../../server/src/sessions/viewers/request-rates.js';
import { EmbedAccess } from '../../server/src/sessions/viewers/embed-access.js';
import { SessionService } from '../../server/src/sessions/session-service.js';
import type { SessionServiceParts } from '../../server/src/sessions/session-service.js';
import { behindFrontNode } from './front-node.js';
import { sharedSerializers, sharedValidators } from './shared-compilers.js';
import { fakeServiceParts, quiet, type FakeServiceParts } from './service-parts.js';

export { quiet } from './service-parts.js';

/** For unit tests of the HTTP API and the gateway. This is the API key that a {@link TestService} accepts. */
export const API_KEY = 'test-key';

/** The operator key that it accepts. */
export const OPERATOR_KEY = 'operator-key';

/** The metrics key that it accepts. */
export const METRICS_KEY = 'metrics-key';

/** Where embed URLs of a {@link TestService} point. */
export const PUBLIC_URL = 'https://browser.example.com';

/** The whole service process on fakes: no host is forked, no time passes by itself. */
export interface TestService {
  app: FastifyInstance;
  clock: FakeServiceParts['clock'];
  pool: FakeServiceParts['pool'];
  registry: FakeServiceParts['registry'];
  profiles: FakeServiceParts['profiles'];
  webhooks: FakeServiceParts['webhooks'];
  events: FakeServiceParts['events'];
  sessions: SessionService;
  /** The history for operators. It takes samples once {@link watch} was called. */
  history: NodeHistory;
  watch(): void;
  /** Receives the places that its sessions give back. */
  onReleased(listener: (sessionId: string) => void): void;
  close(): Promise<void>;
}

/** A test's options of its service. */
type Options = Partial<SingleMachineLimits> & {
  regions?: Region[];
  demoKey?: DemoKey;
  proxies?: number;
  origins?: string[];
  limits?: ConnectionLimits;
  log?: Log;
  /** Where embed URLs point; default {@link PUBLIC_URL}. */
  publicUrl?: () => string;
  /** Directory of the built documentation. */
  docs?: string;
  /** All nodes. Absent: it is the only one. */
  summaries?: () => NodeSummary[];
  /** Recordings that it reads. Absent: it has no routes for them. */
  recordings?: Recordings;
  /** Parts that replace fakes. */
  instead?: Partial<SessionServiceParts>;
};

/**
 * Makes a {@link TestService} that does not listen. If `THROUGH_ANOTHER_NODE` is set, requests go through
 * another node.
 */
export function createTestService(options: Options = {}): Promise<TestService> {
  return process.env['THROUGH_ANOTHER_NODE'] ? behindFrontNode(createOne, options) : createOne(options);
}

async function createOne(options: Options): Promise<TestService> {
  const {
    demoKey,
    proxies = 0,
    limits: caps = { inAll: 1_000, perAddress: 500 },
    log = quiet,
    ...rest
  } = options;
  const {
    summaries,
    origins: listed,
    instead = {},
    docs,
    publicUrl = () => PUBLIC_URL,
    regions,
    recordings,
    ...limits
  } = rest;
  const parts = fakeServiceParts({ log, ...limits, ...(regions && { regions: () => regions }) });
  const { clock, pool, registry, profiles, webhooks, events } = parts;
  const places = instead.placement ?? parts.placement;
  const listeners: ((sessionId: string) => void)[] = [];
  const placement: Placement = {
    place: (wanted, unreached) => places.place(wanted, unreached),
    missing: (sessionId) => places.missing(sessionId),
    release(sessionId) {
      places.release(sessionId);
      for (const listener of listeners) listener(sessionId);
    },
  };
  const sessions = new SessionService({ ...parts, ...instead, placement });
  const { history, exposition } = parts;
  const { maxSessions = 3 } = limits;
  const alone = () =>
    singleNode({
      ...{ name: 'alone', url: publicUrl(), regions: sessions.regions, draining: false },
      ...{ sessionRoom: maxSessions, held: sessions.held.values() },
      ...{ startsSessions: true, hasResources: true },
    });
  const tokens = new DerivedTokens(Buffer.alloc(32, 7));
  const access = new SessionAccess(sessions, tokens);
  const embedAccess = new EmbedAccess(sessions, access);
  const automationAccess = new AutomationAccess(sessions, access);
  const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-pages-'));
  const embedModule = { file: join(directory, 'embed.js'), parts: join(directory, 'embed-parts') };
  await writeFile(embedModule.file, 'export default () => undefined;');
  await mkdir(join(embedModule.parts, '0123456789abcdef'), { recursive: true });
  await writeFile(join(embedModule.parts, '0123456789abcdef', 'controls.js'), 'export class Controls {}');
  const scriptIn = (name: string) => ({
    file: join(directory, `${name}.js`),
    parts: join(directory, `${name}-parts`),
    licenses: join(directory, 'licenses.md'),
    version: '1.2.3',
  });
  const element = scriptIn('element');
  const replay = scriptIn('replay');
  await writeFile(replay.file, 'export class CloudBrowserReplayElement {}');
  await writeFile(element.file, 'export class CloudBrowserElement {}');
  await writeFile(element.licenses, '# Licenses');
  await mkdir(join(element.parts, '0123456789abcdef'), { recursive: true });
  await writeFile(
    join(element.parts, '0123456789abcdef', 'file-transfers.js'),
    'export class FileTransfers {}',
  );
  const pages = {
    demo: await page(directory, 'demo'),
    embed: await page(directory, 'embed'),
    embedModule,
    ...{ element, replay },
    docs: docsSite(docs),
  };
  const time = instead.clock ?? clock;
  const attempts = new Attempts(time);
  const refusals = new RefusalLog(log, time);
  const requestRates = new RequestRates(time);
  const origins = new AllowedOrigins(listed, publicUrl);
  const appParts = {
    sessions,
    otherNodes: instead.otherNodes ?? parts.otherNodes,
    canStart: () => Promise.resolve(true),
    connectedFor: () => 1_000,
    report: (seconds: number) => history.report(seconds),
    nodeOverview: (seconds: number) =>
      nodeOverview(
        {
          summaries: summaries?.() ?? [alone()],
          report: history.report(seconds),
          otherNodes: instead.otherNodes ?? parts.otherNodes,
        },
        seconds,
      ),
    operatorKeys: new ApiKeys([OPERATOR_KEY]),
    scrapeKeys: new ApiKeys([METRICS_KEY, API_KEY]),
    publicUrlOf: publicUrl,
    tokens,
    access,
    embedAccess,
    automationAccess,
    apiKeys: new ApiKeys([API_KEY, 'second-key']),
    demoKey,
    readExtension,
    metrics: exposition,
    onRefusal: parts.metrics.rejected,
    attempts,
    refusals,
    requestRates,
    origins,
    proxies,
    pages,
    publicUrl,
    log,
    ...(recordings && { recordings }),
  };
  const app = await buildApp(appParts, {
    buildValidator: sharedValidators,
    buildSerializer: sharedSerializers,
  });
  new Gateway({
    embedAccess,
    automationAccess,
    otherNodes: appParts.otherNodes,
    log,
    clock: time,
    proxies,
    origins,
    attempts,
    refusals,
    requestRates,
    limits: caps,
  }).serve(app.server);
  return {
    app,
    clock,
    pool,
    registry,
    profiles,
    webhooks,
    events,
    sessions,
    history,
    watch: () =>
      history.start(() => ({
        sessions: sessions.held.size,
        viewers: parts.metrics.viewers,
        agents: parts.metrics.agents.agents,
      })),
    onReleased: (listener) => void listeners.push(listener),
    async close() {
      history.stop();
      await app.close();
      await rm(directory, { recursive: true });
    },
  };
}

async function page(directory: string, name: string) {
  const root = join(directory, name);
  await mkdir(join(root, 'assets'), { recursive: true });
  await writeFile(
    join(root, 'index.html'),
    `<!doctype html><title>${name}</title><a href="/docs/" data-docs hidden>Docs</a>`,
  );
  await writeFile(join(root, 'mobile.html'), `<!doctype html><title>${name} on phones</title>`);
  await writeFile(join(root, 'admin.html'), `<!doctype html><title>${name} for admins</title>`);
  await writeFile(join(root, 'operator.html'), `<!doctype html><title>${name} for operators</title>`);
  await writeFile(join(root, 'assets', 'app-1234.js'), 'export {};');
  return { name, directory: root };
}
