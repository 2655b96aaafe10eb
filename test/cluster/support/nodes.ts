import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { freshClient, type Answer } from './fresh-client.js';

/** How often a node is started that does not come up: on a busy machine it may find its database too slow. */
const START_TRIES = 3;
/** What every node of these tests accepts. */
export const KEY = 'cluster-test-key';
const SECRET = 'a secret of a test, which has to be long';
const program = fileURLToPath(new URL('../../fakes/run-service.ts', import.meta.url));

/** The answer to a create. */
export interface Access {
  session_id: string;
  embed_url: string;
  admin_token: string;
}

/** How the process of a node is run. */
export interface NodeLaunch {
  /** The address that it listens on. */
  host: string;
  /** What runs as a node: a module that prints its address when it takes requests. */
  program: string;
  /** A command that goes on as the command behind it, with its arguments. */
  prefix: readonly string[];
}

const USUAL_LAUNCH: NodeLaunch = { host: '127.0.0.1', program, prefix: [] };

/** A process of the service on scripted hosts that is a node of a cluster. */
export class NodeProcess {
  #process: ChildProcessByStdio<null, Readable, null> | undefined;

  constructor(
    readonly name: string,
    readonly port: number,
    private readonly directory: string,
    private readonly environment: Record<string, string>,
    private readonly launch = USUAL_LAUNCH,
  ) {}

  /** Where it is reached. */
  get url(): string {
    return `http://${this.launch.host}:${this.port}`;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  /** Starts it, also again; resolves when it takes requests. */
  async start(): Promise<void> {
    for (let tries = 1; !(await this.#launch()); tries++)
      if (tries === START_TRIES) throw new Error(`${this.name} did not start.`);
  }

  /** Whether it takes requests. */
  async #launch(): Promise<boolean> {
    await mkdir(this.directory, { recursive: true, mode: 0o711 });
    const { host, program, prefix } = this.launch;
    const [command, ...args] = [...prefix, process.execPath, '--import=tsx', program];

    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        ...{ API_KEYS: KEY, CLUSTER_SECRET: SECRET, NODE_NAME: this.name },
        ...{ HOST: host, PORT: String(this.port) },
        ...{ STATE_DIR: join(this.directory, 'state'), RUNTIME_DIR: join(this.directory, 'run') },
        ...{ EGRESS_ALLOW: '127.0.0.1', DRAIN_SECONDS: '1', MAX_SESSIONS: '100' },
        // A host's process begins with its session, as the lives that hosts write down have it.
        ...{ WARM_HOSTS: '0', WARM_BROWSERS: '0' },
        ...this.environment,
      },
    });
    this.#process = child;
    let ready = false;
    for await (const line of createInterface(child.stdout)) if ((ready = line.startsWith('http'))) break;
    child.stdout.resume();
    return ready;
  }

  /** Ends it as a power cut does; resolves when it is gone. */
  async kill(): Promise<void> {
    await this.#signal('SIGKILL');
  }

  /** Tells it to end; resolves when it has. */
  async stop(): Promise<void> {
    await this.#signal('SIGTERM');
  }

  /** Resolves when the process has ended by itself. */
  async ended(): Promise<void> {
    const child = this.#process;
    if (child?.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }

  freeze(): void {
    process.kill(this.pid, 'SIGSTOP');
  }

  thaw(): void {
    process.kill(this.pid, 'SIGCONT');
  }

  async #signal(name: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(name);
    // One that was frozen takes a signal that can be caught only when it goes on.
    child.kill('SIGCONT');
    await exit;
  }
}

/** Nodes of one cluster. */
export class Nodes {
  readonly all: NodeProcess[] = [];

  private constructor(private readonly directory: string) {}

  /** Starts so many nodes on one database. `environment`: of all, beside what they need. */
  static async start(
    count: number,
    databaseUrl: string,
    environment: Record<string, string> = {},
  ): Promise<Nodes> {
    const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-nodes-'));
    // The users of sessions pass through.
    await chmod(directory, 0o711);
    const nodes = new Nodes(directory);
    for (let index = 0; index < count; index++) {
      const name = `node-${index + 1}`;
      const uid = String(70_000 + index * 2_000);
      nodes.all.push(
        new NodeProcess(name, await freePort(), join(nodes.directory, name), {
          ...{ DATABASE_URL: databaseUrl, SESSION_UID_BASE: uid },
          ...environment,
        }),
      );
    }
    try {
      await Promise.all(nodes.all.map((node) => node.start()));
    } catch (error) {
      await nodes.stop();
      throw error;
    }
    return nodes;
  }

  /** Another process under the name of a node, on a port of its own. */
  async twin(of: NodeProcess, environment: Record<string, string>): Promise<NodeProcess> {
    const twin = new NodeProcess(
      of.name,
      await freePort(),
      join(this.directory, `${of.name}-twin`),
      environment,
    );
    this.all.push(twin);
    return twin;
  }

  /** A node by its place in the cluster. */
  at(index: number): NodeProcess {
    const node = this.all[index];
    if (!node) throw new Error(`There is no node ${index}.`);
    return node;
  }

  /** Ends them all, however they are, and removes what they wrote. */
  async stop(): Promise<void> {
    await Promise.all(this.all.map((node) => node.kill()));
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** Asks a node, or what stands before the nodes. Rejects when there is no answer at all. `limit`: milliseconds. */
export async function ask(
  base: string,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  { body, token = KEY, limit = 20_000 }: { body?: unknown; token?: string; limit?: number } = {},
): Promise<Answer> {
  return freshClient(new URL(path, base), {
    method,
    headers: { authorization: `Bearer ${token}` },
    body: body === undefined ? undefined : JSON.stringify(body),
    limit,
  });
}

/** A port that is free at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
