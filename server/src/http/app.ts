import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import type { Registry } from 'prom-client';
import type { ApiKeys } from '../auth/api-keys.js';
import type { DemoKey } from '../auth/demo-key.js';
import type { ProgramScopeParts } from './access/program-scope.js';
import { automationRoutes, type AutomationRoutesParts } from './routes/session/automation.js';
import { elementRoutes } from './routes/element.js';
import { embedRoutes, type EmbedRoutesParts } from './routes/embed.js';
import type { Attempts } from '../platform/rates/attempts.js';
import type { Log } from '../platform/log.js';
import type { RefusalLog } from '../platform/refusal-log.js';
import { answerClientError, answerErrors, answerFrameworkError } from './answers/answer-errors.js';
import { readBodies } from './bodies/json-body.js';
import { describeRoutes } from './openapi.js';
import { refuseStrippedUpgrades } from './access/stripped-upgrades.js';
import { limitWrongCredentials } from './access/wrong-credentials.js';
import type { BuiltPages } from './pages/built-pages.js';
import { DOCS_PATH } from './pages/docs-site.js';
import { ModuleFile } from './pages/module-file.js';
import { completeMethods } from './other-methods.js';
import { passOn } from './other-nodes.js';
import { computerRoutes } from './routes/session/computer.js';
import { demoRoutes } from './routes/demo.js';
import { docsRoutes } from './routes/docs.js';
import { downloadRoutes } from './routes/session/downloads.js';
import { fileRoutes } from './routes/session/files.js';
import { healthRoutes } from './routes/health.js';
import { mcpRoutes } from './routes/mcp.js';
import { metricsRoutes } from './routes/metrics.js';
import { peerRoutes, type PeerRoutesParts } from './routes/peers.js';
import { nodeRoutes, type NodeRoutesParts } from './routes/nodes.js';
import { partRoutes } from './routes/parts.js';
import { checkTokensAgain, type SessionScopeParts } from './access/session-scope.js';
import { recordingRoutes } from './routes/recordings.js';
import { replayRoutes } from './routes/replay.js';
import { sessionControlRoutes } from './routes/session/session-control.js';
import { sessionRecordingRoutes } from './routes/session/session-recordings.js';
import { sessionRoutes, type SessionRoutesParts } from './routes/sessions.js';
import { uploadRoutes } from './routes/session/uploads.js';
import { tokenRoutes } from './routes/session/tokens.js';
import { unsavedProfileRoutes } from './routes/unsaved-profiles.js';
import { handoffRoutes } from './routes/session/handoffs.js';
import { userRoutes } from './routes/session/users.js';
import { EXACT, EXPECTED, NUMBERS_TOO } from '../create-fields/expected.js';
import type { Recordings } from '../sessions/recordings/recordings.js';
import type { OpenRequests } from './open-requests.js';
import { validationError } from './answers/validation-error.js';

/** Parts of the HTTP side of the service. */
export interface AppParts
  extends
    SessionRoutesParts,
    SessionScopeParts,
    ProgramScopeParts,
    PeerRoutesParts,
    NodeRoutesParts,
    AutomationRoutesParts,
    Omit<EmbedRoutesParts, 'page' | 'module'> {
  log: Log;
  metrics: Registry;
  /** Keys that may read the metrics: metrics keys and API keys. */
  scrapeKeys: ApiKeys;
  /** Slows down clients that guess credentials. */
  attempts: Attempts;
  refusals: RefusalLog;
  /** Number of the operator's reverse proxies in front of this service. */
  proxies: number;
  /** Called with the code of every refusal. */
  onRefusal: (code: string) => void;
  pages: BuiltPages;
  /** Recordings of sessions. If absent, their routes do not exist. */
  recordings?: Recordings;
  /** Counts the open requests. Present if the service waits for them before it ends. */
  openRequests?: OpenRequests;
  /** Gives the demo the API key that the service generated. Undefined if the operator set API keys. */
  demoKey: DemoKey | undefined;
}

const MAX_BODY_BYTES = 2 * 1024 * 1024;
/** Timeouts for the headers of a request, for the whole request, and for an idle socket. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const IDLE_TIMEOUT_MS = 60_000;
/** Time between two checks for requests that take too long. */
const LATENESS_CHECK_MS = 2_000;

/**
 * Builds the HTTP side of the service. The app does not listen yet.
 * @param compilersFactory compilers of the schemas that validate requests. Default: the compilers of Fastify
 */
export async function buildApp(
  parts: AppParts,
  compilersFactory: NonNullable<FastifyServerOptions['schemaController']>['compilersFactory'] = {},
): Promise<FastifyInstance> {
  const app = fastify({
    schemaController: { compilersFactory },
    ajv: {
      customOptions: {
        allowUnionTypes: true,
        coerceTypes: false,
        // The validator ignores these keywords. The session checks the items of `prefixItems` itself.
        keywords: [EXACT, EXPECTED, NUMBERS_TOO, 'prefixItems'],
        removeAdditional: false,
        useDefaults: false,
        verbose: true,
      },
    },
    bodyLimit: MAX_BODY_BYTES,
    clientErrorHandler: answerClientError,
    connectionTimeout: IDLE_TIMEOUT_MS,
    forceCloseConnections: true,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: LATENESS_CHECK_MS },
    frameworkErrors: answerFrameworkError,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // While the service closes, `/readyz` and the routes of sessions send their own errors.
    return503OnClosing: false,
    schemaErrorFormatter: validationError,
  }).withTypeProvider<TypeBoxTypeProvider>();
  answerErrors(app, parts.log, parts.onRefusal);
  parts.openRequests?.watch(app);
  refuseStrippedUpgrades(app, parts.log);
  passOn(app, parts.otherNodes, parts.proxies);
  limitWrongCredentials(app, parts.attempts, parts.proxies, parts.refusals);
  readBodies(app);
  checkTokensAgain(app, parts.sessions);
  const complete = completeMethods(app);
  const description = describeRoutes(app, parts.publicUrl);
  await app.register(healthRoutes(parts.sessions));
  await app.register(sessionRoutes(parts));
  await app.register(sessionControlRoutes(parts));
  await app.register(computerRoutes(parts));
  await app.register(downloadRoutes(parts));
  await app.register(uploadRoutes(parts));
  await app.register(mcpRoutes(parts));
  await app.register(userRoutes(parts));
  await app.register(handoffRoutes(parts));
  await app.register(automationRoutes(parts));
  await app.register(tokenRoutes(parts));
  await app.register(fileRoutes(parts));
  await app.register(peerRoutes(parts));
  await app.register(nodeRoutes(parts));
  await app.register(unsavedProfileRoutes(parts));
  const { recordings } = parts;
  if (recordings) {
    // The order matters: `replayRoutes` and `recordingRoutes` have addresses in common. The plugin that is
    // registered first also answers the preflight requests of these addresses. Only `replayRoutes` sends the
    // CORS headers that pages need.
    await app.register(replayRoutes({ ...parts, recordings }));
    await app.register(recordingRoutes({ ...parts, recordings }));
    await app.register(sessionRecordingRoutes({ ...parts, recordings }));
  }
  await app.register(metricsRoutes(parts.metrics, parts.scrapeKeys));
  app.get('/openapi.json', (_request, reply) =>
    reply.header('access-control-allow-origin', '*').send(description()),
  );
  await app.register(
    embedRoutes({
      ...parts,
      page: parts.pages.embed,
      module: new ModuleFile(parts.pages.embedModule.file, 'embed'),
    }),
  );
  await app.register(partRoutes('embed', parts.pages.embedModule.parts));
  for (const name of ['element', 'replay'] as const) {
    const script = parts.pages[name];
    await app.register(partRoutes(name, script.parts));
    await app.register(elementRoutes(name, script, parts.publicUrl));
  }
  const { demo, docs } = parts.pages;
  if (docs) await app.register(docsRoutes(docs), { prefix: DOCS_PATH.slice(0, -1) });
  await app.register(demoRoutes({ ...parts, page: demo, hasDocs: docs !== undefined }));
  complete();
  await app.ready();
  return app;
}
