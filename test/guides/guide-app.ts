import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { ManagedProcess } from '../../server/src/platform/process/child-process.js';
import { AnsweringServer } from '../e2e/support/answering-server.js';
import type { Service } from '../e2e/support/service.js';
import { until } from '../e2e/support/until.js';
import { ROOT, run } from '../packages/support.js';
import type { Guide } from './guides.js';

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
const QUIET = ['--no-fund', '--no-audit', '--prefer-offline'];

/** A built project that is shown. */
interface Shown {
  service: Service;
  /** The first page of its session. */
  startUrl: string;
}

/** The project of a guide in its own folder. It is built in the same way as by a reader. */
export class GuideApp {
  #server: ManagedProcess | undefined;

  private constructor(
    readonly folder: string,
    private readonly guide: Guide,
  ) {}

  /**
   * Copies the project, installs it and the packed SDK, and builds it. Rejects with the output of npm or of
   * the builder.
   */
  static async build(folder: string, guide: Guide, sdk: string): Promise<GuideApp> {
    const app = new GuideApp(folder, guide);
    cpSync(join(ROOT, 'examples/apps', guide.name), folder, { recursive: true });
    try {
      await run('npm', ['ci', ...QUIET], folder);
      await run('npm', ['install', '--no-save', ...QUIET, sdk], folder);
      await run('npm', ['run', 'build'], folder);
    } catch (error) {
      await app.remove();
      throw error;
    }
    return app;
  }

  /** Serves the built project. Resolves to the address of its page. */
  async start(shown: Shown): Promise<string> {
    return this.guide.server ? this.#startServer(this.guide.server, shown) : this.#serveFiles(shown);
  }

  /** Ends the server and removes the folder. */
  async remove(): Promise<void> {
    await this.#server?.stop();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #startServer(args: readonly string[], { service, startUrl }: Shown): Promise<string> {
    const port = await freePort();
    const server = ManagedProcess.start({
      name: this.guide.name,
      command: process.execPath,
      args,
      cwd: this.folder,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: this.folder,
        HOST: '127.0.0.1',
        PORT: `${port}`,
        NODE_ENV: 'production',
        SERVICE_URL: service.url,
        API_KEY: service.key,
        START_URL: startUrl,
      },
    });
    this.#server = server;
    const url = `http://127.0.0.1:${port}/`;
    await until(`the server of ${this.guide.name} answers`, async () => {
      if (!server.running) throw new Error(`The server ended at once.\n${server.logTail}`);
      const answer = await fetch(url).catch(() => undefined);
      if (answer && answer.status >= 500) throw new Error(`The page failed.\n${server.logTail}`);
      return answer?.ok;
    });
    return url;
  }

  /** Serves files, and the answer of a backend as `docs/start/index.md` has it. */
  async #serveFiles({ service, startUrl }: Shown): Promise<string> {
    const { embed_url: embedUrl } = await service.create({ start_url: startUrl });
    const folder = join(this.folder, this.guide.files ?? '');
    const site = await AnsweringServer.start(({ url = '/' }, response) => {
      const path = normalize(url === '/' ? '/index.html' : url);
      if (path === '/api/session') response.end(JSON.stringify({ embedUrl }));
      else if (path === '/favicon.ico') response.writeHead(204).end();
      else if (existsSync(join(folder, path)))
        response
          .writeHead(200, { 'content-type': TYPES[extname(path)] })
          .end(readFileSync(join(folder, path)));
      else response.writeHead(404).end();
    });
    return `${site.url}/`;
  }
}

/** Returns a port on which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
