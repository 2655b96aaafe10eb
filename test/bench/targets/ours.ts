import { fileURLToPath } from 'node:url';
import { ManagedProcess } from '../../../server/src/platform/process/child-process.js';
import { HEIGHT, WIDTH } from '../chromium.js';
import { until } from '../statistics.js';
import { freePort } from './free-port.js';
import type { Target } from './target.js';

const CLI = fileURLToPath(new URL('../../../server/dist/cli.js', import.meta.url));
const LOOPBACK = '127.0.0.1';
const API_KEY = 'bench';

/** The answer to `POST /v0/vm`. */
export interface CreatedSession {
  session_id: string;
  embed_url: string;
  admin_token: string;
  /** Address for programs, in sessions with `automation`. */
  cdp_url?: string;
}

/** The service of this repository as `npm start` runs it, on a port of its own. */
export class Service {
  private constructor(
    readonly port: number,
    private readonly address: string,
    private readonly process: ManagedProcess,
    private readonly keepsBrowsers: boolean,
  ) {}

  /**
   * Starts the service and resolves when it is ready for sessions.
   *
   * @param cli another build of the service
   * @param through a command that becomes the one behind it
   * @param nodeArguments options of Node. The processes that the service forks get them too
   */
  static async start(
    directory: string,
    environment: Record<string, string> = {},
    cli = CLI,
    through: readonly string[] = [],
    nodeArguments: readonly string[] = [],
  ): Promise<Service> {
    const port = await freePort();
    const args = [...through, process.execPath, ...nodeArguments, cli];
    const command = args.shift() ?? '';
    const server = ManagedProcess.start({
      name: 'cloud-browser',
      command,
      args,
      env: {
        PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
        HOME: directory,
        LANG: 'C.UTF-8',
        HOST: LOOPBACK,
        PORT: `${port}`,
        API_KEYS: API_KEY,
        STATE_DIR: directory,
        DRAIN_SECONDS: '0',
        // Where the measured pages are.
        EGRESS_ALLOW: '127.0.0.1',
        // A warm browser that starts during the measurement would change the figures.
        WARM_BROWSERS: '0',
        ...environment,
      },
    });
    const service = new Service(
      port,
      environment['HOST'] ?? LOOPBACK,
      server,
      environment['WARM_BROWSERS'] === '1',
    );
    try {
      await until(() => service.#isReady(), 'The service does not become ready.');
    } catch (error) {
      await server.stop();
      throw new Error(`${String(error)}\n${server.logTail}`, { cause: error });
    }
    return service;
  }

  get pid(): number {
    return this.process.pid;
  }

  /** Starts a session that shows the page at 60 frames per second. `changes` overrides its parameters. */
  async createSession(page: string, changes: object = {}): Promise<CreatedSession> {
    const response = await this.#request('POST', '/v0/vm', {
      start_url: page,
      width: WIDTH,
      height: HEIGHT,
      fps: 60,
      kiosk: true,
      ...changes,
    });
    return (await response.json()) as CreatedSession;
  }

  /** Returns the bytes of a session's recording that are on the disk. */
  async recordedBytes(session: string): Promise<number> {
    const answer = await this.#request('GET', `/v0/recordings?session=${session}`);
    const { results } = (await answer.json()) as { results: { bytes: number }[] };
    return results[0]?.bytes ?? 0;
  }

  /** Returns an address of a recording's video that needs no API key. */
  async videoAddress(id: string): Promise<string> {
    const answer = await this.#request('POST', `/v0/recordings/${id}/tokens`, { ttl: 3_600 });
    return ((await answer.json()) as { video_url: string }).video_url;
  }

  async endSession(id: string): Promise<void> {
    await this.#request('DELETE', `/v0/vm/${id}`);
  }

  /** Makes the service keep a warm browser for sessions like those of {@link createSession}. */
  async warm(): Promise<void> {
    await this.endSession((await this.createSession('about:blank')).session_id);
  }

  /** Resolves to true if the expected warm browser is ready. */
  async isWarm(): Promise<boolean> {
    if (!this.keepsBrowsers) return true;
    const text = await (await this.#request('GET', '/metrics')).text();
    return /^cloud_browser_spares [1-9]/m.test(text);
  }

  /** Resolves to true if this number of sessions is frozen. */
  async allInStandby(sessions: number): Promise<boolean> {
    const text = await (await this.#request('GET', '/metrics')).text();
    return text.includes(`\ncloud_browser_sessions_standby ${sessions}\n`);
  }

  async stop(): Promise<void> {
    await this.process.stop();
  }

  async #isReady(): Promise<boolean> {
    if (!this.process.running) throw new Error('The service ended at once.');
    const response = await fetch(`http://${this.address}:${this.port}/readyz`).catch(() => undefined);
    return response?.ok ?? false;
  }

  async #request(method: string, path: string, body?: object): Promise<Response> {
    const response = await fetch(`http://${this.address}:${this.port}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${API_KEY}`,
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response;
  }
}

/** This project at 60 Hz. */
export const ours = build('cloud-browser, 60 Hz');

/** A build of this project at 60 Hz, by default the one of this checkout. */
export function build(title: string, cli?: string): Target {
  return {
    name: 'ours',
    title,
    async start(page, directory, address = LOOPBACK) {
      const service = await Service.start(directory, { HOST: address }, cli);
      try {
        const session = await service.createSession(page);
        return {
          viewerAddress: session.embed_url,
          port: service.port,
          serverProcesses: [service.pid],
          stop: () => service.stop(),
        };
      } catch (error) {
        await service.stop();
        throw error;
      }
    },
  };
}
