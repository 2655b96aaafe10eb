import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { usualCode } from '../../../server/src/cluster/nodes/join-as-node.js';
import type { LifeOfSession } from '../../support/history.js';
import { TestPostgres } from '../../database/support/postgres.js';
import { freePort, NodeProcess } from '../support/nodes.js';
import { Customers } from './customers.js';
import { HistoryLog } from './history-log.js';
import { monotonicNow } from './monotonic.js';
import { Network, type Machine } from './network.js';
import { readLag, readLives } from './records.js';

const program = fileURLToPath(new URL('./observed-node.ts', import.meta.url));
const NODES = 3;
/** Processes of nodes end with this one, however that ends. */
const TIED = ['setpriv', '--pdeathsig', 'KILL', '--'];
const LOCAL: Machine = { name: 'local', host: '127.0.0.1', prefix: [] };

/** Options of a stage. */
export interface StageOptions {
  /** Runs each node, and the database, on a machine of its own. Requires root. */
  network?: boolean;
  /** Additional environment of a node, by its index. */
  environment?: (index: number) => Record<string, string>;
  /** Returns another address of the database, for example of a forwarder. */
  databaseUrl?: (postgres: TestPostgres) => Promise<string>;
}

/** A cluster of three nodes for a fault, with all observations. */
export class Stage {
  readonly history = new HistoryLog();
  readonly nodes: NodeProcess[] = [];
  /** Machines by the nodes' indexes; the last one is the database's. Empty without a network. */
  readonly machines: Machine[] = [];
  /** Codes of nodes whose sessions may end. */
  readonly struck = new Set<string>();
  /** Nodes that customers do not use. */
  readonly avoided = new Set<NodeProcess>();
  /** Time at which a machine was paused. Superseded sessions count as ended at this time. */
  readonly frozen = new Map<string, number>();
  #customers: Customers | undefined;
  databaseUrl = '';

  private constructor(
    private readonly directory: string,
    private readonly options: StageOptions,
    readonly network: Network | undefined,
    private postgresOfAll: TestPostgres | undefined,
  ) {}

  static async open(options: StageOptions = {}): Promise<Stage> {
    const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-nemesis-'));
    await chmod(directory, 0o711);
    const network = options.network ? await Network.open() : undefined;
    const stage = new Stage(directory, options, network, undefined);
    try {
      await stage.#build();
    } catch (error) {
      await stage.close();
      throw error;
    }
    return stage;
  }

  get postgres(): TestPostgres {
    if (!this.postgresOfAll) throw new Error('There is no database.');
    return this.postgresOfAll;
  }

  /** Returns a node by its index. */
  at(index: number): NodeProcess {
    const node = this.nodes[index];
    if (!node) throw new Error(`There is no node ${index}.`);
    return node;
  }

  /** Returns a machine by its index. */
  machine(index: number): Machine {
    const machine = this.machines.at(index);
    if (!machine) throw new Error(`There is no machine ${index}.`);
    return machine;
  }

  /** Returns the node of a session. */
  ownerOf(sessionId: string): NodeProcess {
    const owner = this.nodes.find(({ name }) => codeOf(name) === sessionId.slice(0, 6));
    if (!owner) throw new Error(`No node has the session ${sessionId}.`);
    return owner;
  }

  /** Returns all nodes except this one. */
  others(than: NodeProcess): NodeProcess[] {
    return this.nodes.filter((node) => node !== than);
  }

  /** Adds a process, possibly with the name of another node. */
  async makeNode(index: number, directory = `node-${index + 1}`): Promise<NodeProcess> {
    const { host, prefix } = this.network ? this.machine(index) : LOCAL;
    const home = join(this.directory, directory);
    await mkdir(home, { recursive: true, mode: 0o711 });
    return new NodeProcess(
      `node-${index + 1}`,
      await freePort(),
      home,
      {
        ...{ DATABASE_URL: this.databaseUrl, CREATES_PER_MINUTE: '100000', EGRESS_ALLOW: '10.0.0.0/8' },
        SESSION_UID_BASE: String(80_000 + index * 2_000),
        LIVES_FILE: this.#file('lives'),
        ...{ LAG_FILE: join(home, 'lag'), LOG_FILE: join(home, 'log') },
        ...this.options.environment?.(index),
      },
      { host, program, prefix: [...prefix, ...TIED] },
    );
  }

  /** Lets customers create and end sessions during the fault. */
  play(urls?: () => readonly string[]): void {
    const all = () => this.nodes.filter((node) => !this.avoided.has(node)).map(({ url }) => url);
    this.#customers = new Customers(this.history, urls ?? all);
  }

  /** Pauses the machine of a node with all its sessions. */
  async freeze(node: NodeProcess): Promise<void> {
    this.frozen.set(codeOf(node.name), monotonicNow());
    this.avoided.add(node);
    node.freeze();
    for (const pid of await descendantsOf(node.pid)) process.kill(pid, 'SIGSTOP');
  }

  async thaw(node: NodeProcess): Promise<void> {
    for (const pid of await descendantsOf(node.pid)) process.kill(pid, 'SIGCONT');
    node.thaw();
    this.avoided.delete(node);
  }

  /** Marks a node as struck: its sessions may end. */
  strike(node: NodeProcess): void {
    this.struck.add(codeOf(node.name));
  }

  /** Longest delay of these nodes' event loops since then, in milliseconds. */
  async lagSince(from: number, nodes = this.nodes): Promise<number> {
    const until = monotonicNow();
    const files = nodes.map(({ name }) => join(this.directory, name, 'lag'));
    return Math.max(...(await Promise.all(files.map((file) => readLag(file, from, until)))));
  }

  /** Lives of all sessions, from the hosts' records. */
  async lives(): Promise<LifeOfSession[]> {
    const lives = await readLives(this.#file('lives'));
    return lives.map((life) => {
      const code = life.id.slice(0, 6);
      const still = this.frozen.get(code);
      const superseded = still !== undefined && life.until !== Infinity && life.until > still;
      const until =
        superseded && this.struck.has(code) && !this.history.ended.has(life.id) ? still : life.until;
      return { ...life, until: Math.max(life.from, until), explained: this.struck.has(code) };
    });
  }

  /** Life of one session. */
  async lifeOf(sessionId: string): Promise<LifeOfSession> {
    const life = (await readLives(this.#file('lives'))).find(({ id }) => id === sessionId);
    if (!life) throw new Error(`The session ${sessionId} never began.`);
    return life;
  }

  /** Stops the customers. Returns the violations in their history. */
  async judge(): Promise<string[]> {
    await this.#customers?.stop();
    this.#customers = undefined;
    return this.history.problems(await this.lives());
  }

  /** Returns the warnings and errors of the nodes. */
  async complaints(): Promise<string> {
    const texts = await Promise.all(
      this.nodes.map(({ name }) => readFile(join(this.directory, name, 'log'), 'utf8').catch(() => '')),
    );
    return texts
      .flatMap((text, index) => text.split('\n').map((line) => `${index + 1} ${line}`))
      .filter((line) => /"level":"(warn|error)"/.test(line))
      .join('\n');
  }

  /** Ends everything in any state and removes its files. */
  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    await this.#customers?.stop();
    await this.postgresOfAll?.stop();
    await this.network?.close();
    await rm(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }

  async #build(): Promise<void> {
    await writeFile(this.#file('lives'), '');
    await chmod(this.#file('lives'), 0o666);
    for (let index = 0; this.network && index <= NODES; index++)
      this.machines.push(await this.network.machine(`machine-${index + 1}`));
    this.postgresOfAll = await TestPostgres.start(this.network ? this.machine(-1) : LOCAL);
    const own = await this.postgres.createDatabase();
    this.databaseUrl = (await this.options.databaseUrl?.(this.postgres)) ?? own;
    for (let index = 0; index < NODES; index++) this.nodes.push(await this.makeNode(index));
    await Promise.all(this.nodes.map((node) => node.start()));
  }

  #file(name: string): string {
    return join(this.directory, name);
  }
}

const codeOf = (name: string) => usualCode(name);

/** Returns all descendants of a process. */
async function descendantsOf(pid: number): Promise<number[]> {
  const children = new Map<number, number[]>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const [, parent = '0'] = /\) \S (\d+) /.exec(stat) ?? [];
    children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(name)]);
  }
  const below = (parent: number): number[] =>
    (children.get(parent) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}
