import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ManagedProcess } from '../../../server/src/platform/process/child-process.js';
import { serviceEnvironment } from '../../support/service-environment.js';
import { askSession } from './ask-session.js';
import { atEnd, atFailure, type End } from './cleanup.js';
import { asCluster, clusterEnvironment, isCluster } from './cluster.js';
import { warmBrowserMetrics } from './warm-browser-metrics.js';
import { until } from './until.js';

const CLI = fileURLToPath(new URL('../../../server/dist/cli.js', import.meta.url));
const API_KEY = 'end-to-end';
/** Parameters of a single session, which a request for a warm browser does not contain. */
const OF_ONE_SESSION = new Set(['start_url', 'tag', 'webhook', 'auth', 'timeout']);
/** Time limit for warm browsers on a machine that is busy with other tests, in milliseconds. */
const WARM_BROWSER_TIMEOUT_MS = 40_000;
/**
 * User ids per service. Each worker of the test runner has its own range, so a left-over process shows its
 * worker.
 */
const UID_RANGE = 1_000;

/** True if tests use warm browsers. This suits tests that check sessions and not processes. */
const FROM_WARM_BROWSERS = process.env['FROM_WARM_BROWSERS'] === '1';

/** The answer to `POST /v0/vm`. */
export interface Session {
  session_id: string;
  embed_url: string;
  admin_token: string;
  /** Address for programs, in sessions with `automation`. */
  cdp_url?: string;
}

/** The built service in its own process, on a free port, with its own directories. */
export class Service {
  private constructor(
    readonly directory: string,
    readonly url: string,
    readonly process: ManagedProcess,
  ) {}

  /**
   * Makes directories and starts a service in them. Both are removed when the test file ends, or as `end`
   * says.
   */
  static async start(environment: Record<string, string> = {}, end: End = atEnd): Promise<Service> {
    return Service.startIn(await Service.makeDirectory(end), environment, end);
  }

  /** Makes a directory for a service, which is removed as `end` says. */
  static async makeDirectory(end: End = atEnd): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-e2e-'));
    end(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
    // The system users of sessions must be able to enter this directory.
    await chmod(directory, 0o711);
    return directory;
  }

  /**
   * Starts a service in the directories of an earlier one.
   *
   * @param through a command that becomes the service: it runs the command line that stands behind it
   */
  static async startIn(
    directory: string,
    environment: Record<string, string> = {},
    end: End = atEnd,
    through: readonly string[] = [],
  ): Promise<Service> {
    const given = isCluster(environment)
      ? await clusterEnvironment(directory, environment, end)
      : environment;
    const server = Service.launchIn(directory, given, end, through);
    const url = await until('the service says that it is ready', () => {
      if (!server.running) throw new Error(`The service ended at once.\n${server.logTail}`);
      return /ready: (http:\/\/[^\s/]+)/.exec(server.logTail)?.[1];
    });
    return new Service(directory, url, server);
  }

  /** Starts a service that may not become ready; as {@link startIn}. */
  static launchIn(
    directory: string,
    environment: Record<string, string>,
    end: End,
    through: readonly string[],
  ): ManagedProcess {
    const program = isCluster(environment) ? asCluster(CLI) : [CLI];
    const args = [...through, process.execPath, ...program];
    const command = args.shift() ?? '';
    const server = ManagedProcess.start({
      name: 'cloud-browser',
      command,
      args,
      env: {
        ...serviceEnvironment(directory, API_KEY, Service.uidBase),
        // Tests with warm browsers set this themselves.
        WARM_BROWSERS: FROM_WARM_BROWSERS ? '1' : '0',
        DRAIN_SECONDS: '0',
        ...environment,
      },
    });
    end(() => server.stop());
    atFailure('service', () => `The service printed last:\n${server.logTail}`, end);
    return server;
  }

  /** The first of the user ids that only this worker's sessions have. */
  static get uidBase(): number {
    return 10_000_000 + (process.pid % 1_000_000) * UID_RANGE;
  }

  /** Returns true if a user id is a session's. The last id is that of the egress process. */
  static isOfSession(uid: number): boolean {
    return Service.ownsUid(uid) && uid < Service.uidBase + UID_RANGE - 1;
  }

  static ownsUid(uid: number): boolean {
    return uid >= Service.uidBase && uid < Service.uidBase + UID_RANGE;
  }

  get pid(): number {
    return this.process.pid;
  }

  get key(): string {
    return API_KEY;
  }

  /**
   * Creates a session, by default a kiosk at 60 frames per second. With FROM_WARM_BROWSERS=1 it uses a warm
   * browser if possible.
   */
  async create(parameters: Record<string, unknown>): Promise<Session> {
    const hits = FROM_WARM_BROWSERS ? await this.#warm(parameters) : undefined;
    const session = await this.#create(parameters);
    if (hits !== undefined) assert.equal((await warmBrowserMetrics(this)).hits, hits + 1, 'a browser waited');
    return session;
  }

  /**
   * Requests a browser twice, so that the service keeps a warm one. Resolves to the number of sessions that
   * have used one so far.
   */
  async #warm(parameters: Record<string, unknown>): Promise<number | undefined> {
    const kind = Object.fromEntries(Object.entries(parameters).filter(([name]) => !OF_ONE_SESSION.has(name)));
    if ('profile' in parameters) return undefined;
    const asked = performance.now();
    for (let ask = 0; ask < 2; ask++)
      await this.end(await this.#create({ ...kind, start_url: 'about:blank' }));
    const isFresh = async () => {
      const { ready, age } = await warmBrowserMetrics(this);
      return ready > 0 && age < (performance.now() - asked) / 1_000;
    };
    await until('a browser waits', isFresh, WARM_BROWSER_TIMEOUT_MS);
    return (await warmBrowserMetrics(this)).hits;
  }

  async #create(parameters: Record<string, unknown>): Promise<Session> {
    const { status, body } = await this.request('POST', '/v0/vm', { kiosk: true, fps: 60, ...parameters });
    assert.equal(status, 200, JSON.stringify(body));
    return body as unknown as Session;
  }

  /** Creates a session with an extension. Its parameters have no defaults of the tests. */
  async createWith(archive: Uint8Array, parameters: Record<string, unknown>): Promise<Session> {
    const form = new FormData();
    form.set('body', JSON.stringify({ ...parameters, extension: { field: 'archive' } }));
    form.set('archive', new Blob([new Uint8Array(archive)]), 'extension.zip');
    const headers = { authorization: `Bearer ${API_KEY}` };
    const response = await fetch(`${this.url}/v0/vm`, { method: 'POST', headers, body: form });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return JSON.parse(text) as Session;
  }

  /** Opens another address in the tab that a session shows. */
  async show(session: Session, url: string): Promise<void> {
    await askSession(session, 'POST', 'tabs.update', [{ url }]);
  }

  async end(session: Session): Promise<void> {
    const { status } = await this.request('DELETE', `/v0/vm/${session.session_id}`);
    assert.equal(status, 200);
  }

  /** Ends the sessions that run. */
  async endAll(): Promise<void> {
    const { body } = await this.request('GET', '/v0/vm');
    const running = body['results'] as { id: string }[];
    await Promise.all(running.map(({ id }) => this.request('DELETE', `/v0/vm/${id}`)));
  }

  async view(session: Session): Promise<Record<string, unknown>> {
    const { body } = await this.request('GET', `/v0/vm/${session.session_id}`);
    return body;
  }

  async request(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${API_KEY}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
}
