import { execFile, spawn, type ChildProcessByStdio } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { appendFile, chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { Client } from 'pg';

const run = promisify(execFile);
const PASSWORD = randomBytes(12).toString('hex');
/**
 * Not safe against a power failure, which these tests do not need. Acknowledged data survives a crash of the
 * processes.
 */
const SETTINGS = {
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '120',
  shared_buffers: '16MB',
  log_min_messages: 'log',
  timezone: 'Asia/Tokyo',
};

/** Location of a server. */
export interface PostgresPlace {
  /** An address to listen on in addition to its machine's own. */
  host: string;
  /** A command that runs the command behind it, with its arguments. */
  prefix: readonly string[];
}

const HERE: PostgresPlace = { host: '127.0.0.1', prefix: [] };

/**
 * A PostgreSQL server for one test, in its own directory. It ends with the test's process, however that ends.
 */
export class TestPostgres {
  #server: ChildProcessByStdio<null, null, Readable> | undefined;
  #databases = 0;

  private constructor(
    private readonly directory: string,
    readonly port: number,
    private readonly user: { uid: number; gid: number } | undefined,
    private readonly place: PostgresPlace,
  ) {}

  static async start(place = HERE): Promise<TestPostgres> {
    return TestPostgres.#make(place, async (server, passwordFile) => {
      await server.#run('initdb', [
        ...['-D', server.#data, '-U', 'tester', '-A', 'scram-sha-256', '--pwfile', passwordFile],
        ...['-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'],
      ]);
      if (place.host !== HERE.host)
        await appendFile(join(server.#data, 'pg_hba.conf'), 'host all all all scram-sha-256\n');
    });
  }

  /** Starts a second server that replicates the first and can replace it: see {@link promote}. */
  static async follow(primary: TestPostgres): Promise<TestPostgres> {
    return TestPostgres.#make(primary.place, (server) =>
      server.#run('pg_basebackup', [
        ...[
          '-D',
          server.#data,
          '-d',
          primary.url('postgres'),
          '-R',
          '-X',
          'stream',
          '-c',
          'fast',
          '--no-sync',
        ],
      ]),
    );
  }

  static async #make(
    place: PostgresPlace,
    fill: (server: TestPostgres, passwordFile: string) => Promise<void>,
  ): Promise<TestPostgres> {
    const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
    const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-postgres-'));
    const passwordFile = join(directory, 'password');
    await writeFile(passwordFile, PASSWORD);
    if (user) for (const path of [directory, passwordFile]) await chown(path, user.uid, user.gid);
    const server = new TestPostgres(directory, await freePort(), user, place);
    try {
      await fill(server, passwordFile);
      await server.launch();
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  /** Returns the URL of a database with this name. */
  url(name: string, { user = 'tester', password = PASSWORD } = {}): string {
    return `postgres://${user}:${password}@${this.place.host}:${this.port}/${name}`;
  }

  /** Creates an empty database and returns its URL. */
  async createDatabase(options = ''): Promise<string> {
    const name = `test_${(this.#databases += 1)}`;
    await this.sql(`create database ${name} ${options}`);
    return this.url(name);
  }

  /** Runs SQL on a connection outside the code under test. */
  async sql(text: string, url = this.url('postgres')): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      const { rows } = await client.query<Record<string, unknown>>(text);
      return rows;
    } finally {
      await client.end();
    }
  }

  /** Starts the server, also after {@link kill}. Resolves when it accepts connections. */
  async launch(): Promise<void> {
    const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const [command, ...args] = this.#command('postgres', [
      ...['-D', this.#data, '-p', String(this.port), '-c', `listen_addresses=${this.place.host}`],
      ...settings,
    ]);
    const server = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    });
    this.#server = server;
    let output = '';
    for await (const chunk of server.stderr.iterator({ destroyOnReturn: false })) {
      output += String(chunk);
      // Between its start and this line the server may still refuse connections.
      if (/ready to accept (read-only )?connections/.test(output)) {
        server.stderr.resume();
        return;
      }
    }
    throw new Error(`PostgreSQL did not start. ${output}`);
  }

  /** Ends the replication of a standby. Resolves when it accepts writes. */
  async promote(): Promise<void> {
    await this.sql('select pg_promote(true, 30)');
  }

  /** Suspends all its processes: connections stay open without answers. */
  async freeze(): Promise<void> {
    for (const pid of await this.#processes()) signal(pid, 'SIGSTOP');
  }

  async thaw(): Promise<void> {
    for (const pid of await this.#processes()) signal(pid, 'SIGCONT');
  }

  /** Ends it like a crash of the machine. */
  async kill(): Promise<void> {
    const server = this.#server;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const processes = await this.#processes();
    const ended = once(server, 'exit');
    for (const pid of processes) signal(pid, 'SIGKILL');
    await ended;
  }

  /** Ends it and removes its files. */
  async stop(): Promise<void> {
    await this.kill();
    await rm(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }

  get #data(): string {
    return join(this.directory, 'data');
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    const [command, ...all] = this.#command(program, args);
    await run(command, all);
  }

  /** Runs a PostgreSQL program on the server's machine, as the server's user. */
  #command(program: string, args: readonly string[]): [string, ...string[]] {
    const all = ['setpriv', ...this.#guard(), join(binaries(), program), ...args];
    const [command = 'setpriv', ...rest] = [...this.place.prefix, ...all];
    return [command, ...rest];
  }

  #guard(): string[] {
    const become = this.user
      ? [`--reuid=${this.user.uid}`, `--regid=${this.user.gid}`, '--clear-groups']
      : [];
    return [...become, '--pdeathsig', 'KILL', '--'];
  }

  /** Ends the server first, so that it starts no more processes. */
  async #processes(): Promise<number[]> {
    const pid = this.#server?.pid;
    if (pid === undefined) return [];
    const children: number[] = [];
    for (const name of await readdir('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
      const [, parent] = /\) \S (\d+) /.exec(stat) ?? [];
      if (Number(parent) === pid) children.push(Number(name));
    }
    return [pid, ...children];
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}

/** PostgreSQL does not run as root. */
function unprivilegedUser(): { uid: number; gid: number } {
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const line =
    users.find((user) => user.startsWith('postgres:')) ?? users.find((user) => user.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

/** Debian has a directory for each version. */
function binaries(): string {
  const versions = readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a));
  const [newest] = versions;
  if (newest === undefined)
    throw new Error('PostgreSQL is not installed. Run "npm test -- database", which does that.');
  return `/usr/lib/postgresql/${newest}/bin`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
