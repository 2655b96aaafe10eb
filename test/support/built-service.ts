import { isRecord } from '../../server/src/platform/is-record.js';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Session } from '../e2e/support/service.js';
import { patient } from './limits.js';
import { until, within } from '../walk/deadline.js';
import { serviceEnvironment } from './service-environment.js';

const CLI = fileURLToPath(new URL('../../server/dist/cli.js', import.meta.url));
const API_KEY = 'test';
const START_LIMIT_MS = patient(40_000);
/** A session's start on a busy machine takes seconds. */
const REQUEST_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = patient(15_000);
/** Number of user ids per test process for its sessions, and the first user id. */
export const UIDS = 1_000;
export const UID_BASE = 30_000_000 + (process.pid % 1_000_000) * UIDS;

/** Differences of a service from the usual one. */
export interface ServiceOptions {
  environment?: Readonly<Record<string, string>>;
  /** Arguments of Node before the program, by the service's directory. Session hosts get them too. */
  nodeArguments?: (directory: string) => readonly string[];
  /** A command that becomes the one behind it, such as `unshare --mount`, by the service's directory. */
  wrapper?: (directory: string) => readonly string[];
}

/** A line of the service's log. */
export interface LogLine {
  level: string;
  message: string;
  text: string;
  /** When it was read, by `performance.now()`. */
  at: number;
}

/** An answer of the service. */
export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** The built service in its own process, with its own directories. Its complete output is stored. */
export class BuiltService {
  readonly log: LogLine[] = [];
  #child: ChildProcess | undefined;
  #url = '';

  private constructor(
    /** Directories of its records and of its sessions. */
    readonly directory: string,
    private readonly options: ServiceOptions,
  ) {}

  static async start(options: ServiceOptions = {}): Promise<BuiltService> {
    const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-test-'));
    // The system users of sessions must be able to enter this directory.
    await chmod(directory, 0o711);
    const service = new BuiltService(directory, options);
    try {
      await service.begin();
    } catch (error) {
      await service.stop();
      throw error;
    }
    return service;
  }

  /**
   * Starts the process, also after an earlier one has ended. Rejects if the process does not report in time
   * that it is ready.
   */
  async begin(): Promise<void> {
    const { directory, options } = this;
    const { environment = {}, nodeArguments, wrapper } = options;
    const node = [process.execPath, ...(nodeArguments?.(directory) ?? []), CLI];
    // The service must not outlive this process, however this process ends.
    const guard = ['setpriv', '--pdeathsig', 'KILL', '--'];
    const command = [...guard, ...(wrapper?.(directory) ?? []), ...node];
    const child = spawn(command[0] ?? '', command.slice(1), {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...serviceEnvironment(directory, API_KEY, UID_BASE),
        ...environment,
      },
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) this.#read(stream);
    const from = this.log.length;
    this.#url = await until('the service is ready', START_LIMIT_MS, () => {
      if (!this.running) throw new Error(`The service ended at once.\n${this.lastLines(20)}`);
      return this.log
        .slice(from)
        .map(({ text }) => /ready: (http:\/\/[^"\s/]+)/.exec(text)?.[1])
        .find((url) => url !== undefined);
    });
  }

  get pid(): number {
    return this.#child?.pid ?? -1;
  }

  /** The address of the service, without a trailing slash. */
  get url(): string {
    return this.#url;
  }

  get key(): string {
    return API_KEY;
  }

  get running(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Path to the service's files from this process, even if the service has its own mounts. */
  seen(path: string): string {
    return this.options.wrapper ? `/proc/${this.pid}/root${path}` : path;
  }

  /** Resolves when the process has ended. */
  async ended(): Promise<void> {
    const child = this.#child;
    if (child && this.running) await within('the service ends', STOP_LIMIT_MS, once(child, 'exit'));
  }

  async create(parameters: Record<string, unknown>): Promise<Session> {
    const { status, body } = await this.request('POST', '/v0/vm', parameters);
    const { session_id, embed_url, admin_token } = body;
    if (typeof session_id === 'string' && typeof embed_url === 'string' && typeof admin_token === 'string')
      return { session_id, embed_url, admin_token };
    throw new Error(`A session was refused with ${status}: ${JSON.stringify(body)}`);
  }

  /** Ends a session. Resolves when none of its processes runs. */
  async end({ session_id }: Session): Promise<void> {
    const { status, body } = await this.request('DELETE', `/v0/vm/${session_id}`);
    if (status !== 200) throw new Error(`A session was not ended: ${status} ${JSON.stringify(body)}`);
  }

  /** Resolves to true if the session runs. */
  async runs({ session_id }: Session): Promise<boolean> {
    const { results } = (await this.request('GET', '/v0/vm')).body;
    return Array.isArray(results) && results.some((row) => isRecord(row) && row['id'] === session_id);
  }

  async view({ session_id }: Session): Promise<Record<string, unknown>> {
    return (await this.request('GET', `/v0/vm/${session_id}`)).body;
  }

  async request(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(this.#url + path, {
      method,
      headers: {
        authorization: `Bearer ${API_KEY}`,
        // A service that is stopped or struck must not leave half-used connections to the next request.
        connection: 'close',
        ...(body && { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!isRecord(answer)) throw new Error(`${method} ${path} was not answered with an object.`);
    return { status: response.status, body: answer };
  }

  lastLines(count: number): string {
    return this.log
      .slice(-count)
      .map(({ text }) => text)
      .join('\n');
  }

  /** Ends the process and removes its directories. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (child && this.running) {
      const exited = once(child, 'exit');
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      const insist = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      await exited;
      clearTimeout(insist);
    }
    await rm(this.directory, { recursive: true, force: true, maxRetries: 5 });
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
  const at = performance.now();
  try {
    const line: unknown = JSON.parse(text);
    if (isRecord(line)) return { level: String(line['level']), message: String(line['message']), text, at };
  } catch {
    // No JSON.
  }
  return { level: text.includes('ready: ') ? 'info' : 'error', message: text, text, at };
}
