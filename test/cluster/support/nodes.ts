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

/** Number of tries to start a node. On a busy machine a node may find its database too slow. */
const START_TRIES = 3;
/** API key that every node of these tests accepts. */
export const KEY = 'cluster-test-key';
const SECRET = 'a secret of a test, which has to be long';
const program = fileURLToPath(new URL('../../fakes/run-service.ts', import.meta.url));

/** The answer to a create. */
export interface Access {
  session_id: string;
  embed_url: string;
  admin_token: string;
}

/** Options for the process of a node. */
export interface NodeLaunch {
  /** The address that it listens on. */
  host: string;
  /** Module that runs as a node. It prints its address when it accepts requests. */
  program: string;
  /** Command that executes the command behind it, with `exec`. */
  prefix: readonly string[];
}

const USUAL_LAUNCH: NodeLaunch = { host: '127.0.0.1', program, prefix: [] };

/** A process of the service on scripted hosts that is a node of a cluster. */
export class NodeProcess {
  #process: ChildProcessByStdio<null, Readable, null> | undefined;

  constructor(
    readonly name: string,
    readonly port: number,
    /** Folder of the node's state and runtime directories. */
    readonly directory: string,
    private readonly environment: Record<string, string>,
    private readonly launch = USUAL_LAUNCH,
  ) {}

  /** Address of the node. */
  get url(): string {
    return `http://${this.launch.host}:${this.port}`;
  }

  /** Environment of its process, without the path. */
  get settings(): Record<string, string> {
    return {
      ...{ API_KEYS: KEY, CLUSTER_SECRET: SECRET, NODE_NAME: this.name },
      ...{ HOST: this.launch.host, PORT: String(this.port) },
      ...{ STATE_DIR: join(this.directory, 'state'), RUNTIME_DIR: join(this.directory, 'run') },
      ...{ EGRESS_ALLOW: '127.0.0.1', DRAIN_SECONDS: '1', MAX_SESSIONS: '100' },
      // The process of a host starts with its session, because the hosts' records assume it.
      ...{ WARM_HOSTS: '0', WARM_BROWSERS: '0' },
      ...this.environment,
    };
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  /** Starts the process, also again. Resolves when it accepts requests. */
  async start(): Promise<void> {
    for (let tries = 1; !(await this.#launch()); tries++)
      if (tries === START_TRIES) throw new Error(`${this.name} did not start.`);
  }

  /** Resolves to true if it accepts requests. */
  async #launch(): Promise<boolean> {
    await mkdir(this.directory, { recursive: true, mode: 0o711 });
    const { program, prefix } = this.launch;
    const [command, ...args] = [...prefix, process.execPath, '--import=tsx', program];

    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'], ...this.settings },
    });
    this.#process = child;
    let ready = false;
    for await (const line of createInterface(child.stdout)) if ((ready = line.startsWith('http'))) break;
    child.stdout.resume();
    return ready;
  }

  /** Kills the process, as a power cut would. Resolves when it is gone. */
  async kill(): Promise<void> {
    await this.#signal('SIGKILL');
  }

  /** Asks the process to end. Resolves when it has. */
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
    // A stopped process handles a catchable signal only after it is continued.
    child.kill('SIGCONT');
    await exit;
  }
}

/** Nodes of one cluster. */
export class Nodes {
  readonly all: NodeProcess[] = [];

  private constructor(private readonly directory: string) {}

  /** Starts this many nodes on one database. `environment`: additional environment of all nodes. */
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

  /** Returns another process with the name of a node, on its own port. */
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

  /** Returns a node by its index in the cluster. */
  at(index: number): NodeProcess {
    const node = this.all[index];
    if (!node) throw new Error(`There is no node ${index}.`);
    return node;
  }

  /** Ends all nodes in any state and removes their files. */
  async stop(): Promise<void> {
    await Promise.all(this.all.map((node) => node.kill()));
    await rm(this.directory, { recursive: true, force: true });
  }
}

/**
 * Sends a request to a node or to the proxy in front of the nodes. Rejects if there is no answer. `limit`:
 * milliseconds.
 */
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
