import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { patient } from '../support/limits.js';
import { until } from './deadline.js';

const CLI = fileURLToPath(new URL('../../server/dist/cli.js', import.meta.url));
const API_KEY = 'walk';
const START_LIMIT_MS = patient(30_000);
/** A session's start on a busy machine takes seconds. */
const REQUEST_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = patient(10_000);

/** The answer to `POST /v0/vm`. */
export interface Session {
  session_id: string;
  embed_url: string;
  admin_token: string;
}

/** A line of the service's log. */
export interface LogLine {
  level: string;
  message: string;
  text: string;
}

/** The built service in its own process, with its own directories. Its complete output is stored. */
export class WalkService {
  readonly log: LogLine[] = [];
  #url = '';

  private constructor(
    /** Directory of its sessions. */
    readonly directory: string,
    private readonly child: ChildProcess,
  ) {
    for (const stream of [child.stdout, child.stderr]) this.#read(stream);
  }

  static async start(): Promise<WalkService> {
    const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-walk-'));
    // The system users of sessions must be able to enter this directory.
    await chmod(directory, 0o711);
    const child = spawn(process.execPath, [CLI], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
        HOME: directory,
        LANG: 'C.UTF-8',
        PORT: '0',
        API_KEYS: API_KEY,
        STATE_DIR: join(directory, 'state'),
        RUNTIME_DIR: join(directory, 'run'),
        SESSION_UID_BASE: `${20_000_000 + (process.pid % 1_000_000) * 1_000}`,
        WARM_HOSTS: '0',
        WARM_BROWSERS: '0',
        DRAIN_SECONDS: '0',
        // The address of the hostile site.
        EGRESS_ALLOW: '127.0.0.1',
      },
    });
    const service = new WalkService(directory, child);
    try {
      service.#url = await until('the service is ready', START_LIMIT_MS, () => {
        if (child.exitCode !== null) throw new Error(`The service ended at once.\n${service.lastLines(20)}`);
        return /ready: (http:[^"\s]+)/.exec(service.lastLines(20))?.[1];
      });
    } catch (error) {
      await service.stop();
      throw error;
    }
    return service;
  }

  async create(parameters: Record<string, unknown>): Promise<Session> {
    return (await this.#request('POST', '/v0/vm', parameters)) as Session;
  }

  async end({ session_id }: Session): Promise<void> {
    await this.#request('DELETE', `/v0/vm/${session_id}`);
  }

  /** Resolves to true if the session runs. */
  async runs({ session_id }: Session): Promise<boolean> {
    const { results } = (await this.#request('GET', '/v0/vm')) as { results: { id: string }[] };
    return results.some(({ id }) => id === session_id);
  }

  lastLines(count: number): string {
    return this.log
      .slice(-count)
      .map(({ text }) => text)
      .join('\n');
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exited = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      const insist = setTimeout(() => this.child.kill('SIGKILL'), STOP_LIMIT_MS);
      await exited;
      clearTimeout(insist);
    }
    await rm(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }

  async #request(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { authorization: `Bearer ${API_KEY}`, ...(body && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
    return JSON.parse(text);
  }

  #read(stream: NodeJS.ReadableStream | null): void {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const text of lines) if (text.trim() !== '') this.log.push(readLine(text));
    });
  }
}

/** Output that is not a line of the log (a warning of Node, a stack) counts as an error. */
function readLine(text: string): LogLine {
  try {
    const { level, message } = JSON.parse(text) as { level?: unknown; message?: unknown };
    return { level: String(level), message: String(message), text };
  } catch {
    return { level: text.includes('ready: ') ? 'info' : 'error', message: text, text };
  }
}
