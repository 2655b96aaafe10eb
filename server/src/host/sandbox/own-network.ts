import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { CodedError } from '../../platform/coded-error.js';
import { BROWSER_PROXY_PORT } from '../../platform/browser-proxy.js';

/** A network of its own cannot be made for a session. */
export class NetworkError extends CodedError {
  readonly code = 'err_no_network_namespace';

  constructor(problem: string) {
    super(
      `A session cannot have a network of its own: ${problem} ` +
        'Allow unprivileged user namespaces (sysctl user.max_user_namespaces > 0, user.max_net_namespaces > 0).',
    );
  }
}

/** From the start of bubblewrap to a listening socket. */
const OPEN_TIMEOUT_MS = 15_000;
/**
 * Opened while the process may still read it: Node may lie where the session's user cannot go. A descriptor can be executed all
 * the same.
 */
const NODE = openSync(process.execPath, 'r');
/** Where {@link NODE} is in the process that listens. */
const NODE_PATH = '/proc/self/fd/4';
/** Says that it is in the namespaces, and becomes the program that follows, under its own number. */
const ENTERED = 'echo "$$"; exec "$@"';
/**
 * Sends the bare handle: a `net.Server` would begin to accept connections in every process that it passes. Then it does nothing, so
 * that it accepts none itself, until we close its standard input: it may be killed late.
 */
const SCRIPT = `
  const server = require('node:net').createServer();
  process.on('disconnect', () => process.exit());
  server.listen({ host: '127.0.0.1', port: ${BROWSER_PROXY_PORT}, backlog: 511 }, () =>
    process.send('listening', server._handle, () => {
      try { require('node:fs').readSync(0, Buffer.alloc(1)); } finally { process.kill(process.pid, 'SIGKILL'); }
    }));
`;

/** A program to run, and the descriptors that it needs from a given number on. */
export interface NetworkCommand {
  command: string;
  args: string[];
  descriptors: number[];
}

/**
 * A network namespace with nothing in it but loopback, on which one socket listens. Whoever is given that socket is all the network
 * that there is for programs inside, which can be started before it is there: nobody answers them until then. The namespace lasts until
 * it is closed and nothing runs in it.
 */
export class OwnNetwork {
  private constructor(
    /** The listening socket, as Node's `process.send` passes it on. Rejects with {@link NetworkError}. */
    readonly listener: Promise<unknown>,
    private readonly namespaces: readonly number[],
  ) {}

  /**
   * Makes a network; resolves when programs can be started in it. Rejects with {@link NetworkError}.
   *
   * @param become a command line in front that becomes the user for whom it is made
   */
  static async open(become: readonly string[] = []): Promise<OwnNetwork> {
    const command = [
      ...become,
      ...['setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--'],
      // Bubblewrap raises loopback, which takes a program of its own otherwise.
      ...['bwrap', '--unshare-user', '--unshare-net', '--die-with-parent', '--dev-bind', '/', '/', '--'],
      ...['sh', '-c', ENTERED, 'sh', NODE_PATH, '-e', SCRIPT],
    ];
    const [program = '', ...args] = command;
    const child = spawn(program, args, {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'pipe', 'pipe', 'ipc', NODE],
    });
    const end = () => {
      child.stdin?.destroy();
      child.kill('SIGKILL');
    };
    const failure = failureOf(child);
    const listener = inTime(Promise.race([listening(child), failure])).finally(end);
    // Whoever needs it is told.
    listener.catch(() => undefined);
    try {
      const pid = await inTime(Promise.race([firstLineOf(child.stdout), failure]));
      // The namespaces stay, by our descriptors.
      const namespaces = ['user', 'net'].map((kind) => openSync(`/proc/${pid}/ns/${kind}`, 'r'));
      return new OwnNetwork(listener, namespaces);
    } catch (error) {
      end();
      throw error;
    }
  }

  /**
   * The command line that runs a program in this network.
   *
   * @param first number of the first of the descriptors that it is to be given
   */
  inside(program: readonly string[], first: number): NetworkCommand {
    const [user, network] = [first, first + 1];
    // The program itself gets none of the descriptors.
    const shed = `exec ${user}>&- ${network}>&-; exec "$@"`;
    return {
      command: 'nsenter',
      args: [
        ...['--preserve-credentials', `--user=/proc/self/fd/${user}`, `--net=/proc/self/fd/${network}`, '--'],
        ...['sh', '-c', shed, 'sh', ...program],
      ],
      descriptors: [...this.namespaces],
    };
  }

  close(): void {
    for (const namespace of this.namespaces) closeSync(namespace);
  }
}

async function firstLineOf(stream: Readable | null): Promise<string> {
  if (!stream) throw new NetworkError('it has no output.');
  const [line] = (await once(createInterface({ input: stream }), 'line')) as [string];
  return line;
}

async function listening(child: ChildProcess): Promise<unknown> {
  const [, listener] = (await once(child, 'message')) as [unknown, unknown];
  if (!listener) throw new NetworkError('its socket was not passed on.');
  return listener;
}

/** Rejects when the helper ends. */
async function failureOf(child: ChildProcess): Promise<never> {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  const error = await new Promise<Error | undefined>((resolve) => {
    child.once('error', resolve);
    child.once('close', () => resolve(undefined));
  });
  throw new NetworkError(error ? `${error.message}.` : said.trim() || 'bubblewrap ended.');
}

/** Rejects when nothing comes of it in time. */
async function inTime<T>(waiting: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NetworkError('nothing happens.')), OPEN_TIMEOUT_MS);
  });
  return Promise.race([waiting, late]).finally(() => clearTimeout(timer));
}
