import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { ApiKeys } from '../../server/src/auth/api-keys.js';
import { DerivedTokens } from '../../server/src/auth/tokens.js';
import { Gateway } from '../../server/src/gateway/gateway.js';
import { buildApp } from '../../server/src/http/app.js';
import { createLog } from '../../server/src/platform/log.js';
import { Admissions } from '../../server/src/sessions/admission.js';
import { SessionService } from '../../server/src/sessions/session-service.js';
import { FakeHostPool } from './fake-host-pool.js';
import { ManualClock } from './manual-clock.js';
import { MemoryRegistry } from './memory-registry.js';

/** A log that says nothing. */
export const quiet = createLog('silent', () => undefined);

/** The API key that a {@link TestService} accepts. */
export const API_KEY = 'test-key';

/** Where embed URLs of a {@link TestService} point. */
export const PUBLIC_URL = 'https://browser.example.com';

/** The whole service process on fakes: no host is forked, no time passes by itself. */
export interface TestService {
  app: FastifyInstance;
  clock: ManualClock;
  pool: FakeHostPool;
  registry: MemoryRegistry;
  sessions: SessionService;
  close(): Promise<void>;
}

/** Puts a {@link TestService} together. It does not listen. */
export async function createTestService(
  options: { maxSessions?: number; generatedKey?: string } = {},
): Promise<TestService> {
  const clock = new ManualClock();
  const pool = new FakeHostPool();
  const registry = new MemoryRegistry();
  const { maxSessions = 3, generatedKey } = options;
  const sessions = new SessionService({ pool, registry, clock, log: quiet, maxSessions });
  const tokens = new DerivedTokens(Buffer.alloc(32, 7));
  const admissions = new Admissions(sessions, tokens);
  const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-pages-'));
  const pages = { demo: await page(directory, 'demo'), embed: await page(directory, 'embed') };
  const app = await buildApp({
    sessions,
    tokens,
    admissions,
    apiKeys: new ApiKeys([API_KEY, 'second-key']),
    generatedKey,
    pages,
    publicUrl: () => PUBLIC_URL,
    log: quiet,
  });
  new Gateway(admissions, quiet).serve(app.server);
  return {
    app,
    clock,
    pool,
    registry,
    sessions,
    async close() {
      await app.close();
      await rm(directory, { recursive: true });
    },
  };
}

async function page(directory: string, name: string) {
  const root = join(directory, name);
  await mkdir(join(root, 'assets'), { recursive: true });
  await writeFile(join(root, 'index.html'), `<!doctype html><title>${name}</title>`);
  await writeFile(join(root, 'assets', 'app-1234.js'), 'export {};');
  return { name, directory: root };
}
