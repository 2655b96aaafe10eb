import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { CodedError } from '../../platform/coded-error.js';
import { BROWSER_PROXY_PORT } from '../../platform/network/browser-proxy.js';
import { guardedCommand } from '../../platform/process/guarded-command.js';
import { startAdviceOf } from '../../platform/process/start-advice.js';
import { withTimeout } from '../../platform/time/timeout.js';

const ALLOW_NAMESPACES =
  'Allow unprivileged user namespaces (sysctl user.max_user_namespaces > 0, user.max_net_namespaces > 0).';

/** Thrown if a session cannot get its own network. */
export class NetworkError extends CodedError {
  readonly code = 'err_no_network_namespace';

  constructor(problem: string) {
    super(
      `A session cannot have a network of its own: ${problem} ${startAdviceOf(problem) ?? ALLOW_NAMESPACES}`,
    );
  }
}

/** Timeout from the start of bubblewrap to a listening socket. Milliseconds. */
const OPEN_TIMEOUT_MS = 15_000;
/**
 * Descriptor of the Node program. It is opened before this process becomes the session's user. That user may
 * have no access to the program's path, but can execute an open descriptor.
 */
const NODE = openSync(process.execPath, 'r');
/** Path of {@link NODE} in the process that listens. */
const NODE_PATH = '/proc/self/fd/4';
/**
 * Shell script that prints its process id when it runs in the namespaces. Then it executes the program in its
 * arguments, with the same process id.
 */
const ENTERED = 'echo "$$"; exec "$@"';
/**
 * Node script that opens the listening socket and sends its bare handle to the parent. A `net.Server` instead
 * of the handle would make the parent accept connections. After sending, the script blocks until its standard
 * input is closed, so that it accepts no connections itself.
 */
const SCRIPT = `
  const server = require('node:net').createServer();
  process.on('disconnect', () => process.exit());
  server.listen({ host: '127.0.0.1', port: ${BROWSER_PROXY_PORT}, backlog: 511 }, () =>
    process.send('listening', server._handle, () => {
      try { require('node:fs').readSync(0, Buffer.alloc(1)); } finally { process.kill(process.pid, 'SIGKILL'); }
    }));
`;

/**
 * A command to run, and the descriptors that its process must receive. The first of them must get the number
 * that was passed to {@link OwnNetwork.inside}.
 */
export interface NetworkCommand {
  command: string;
  args: string[];
  descriptors: number[];
}

/**
 * A network namespace that contains only the loopback interface, with one listening socket. The service
 * passes this socket to the egress process. Programs in the namespace can reach the egress process, and no
 * other process outside. They can start before the socket exists, but can connect only afterwards. The
 * namespace exists until `close` was called and no program runs in it.
 */
export class OwnNetwork {
  private constructor(
    /**
     * The listening socket, in the form that Node's `process.send` accepts. Rejects with
     * {@link NetworkError}.
     */
    readonly listener: Promise<unknown>,
    private readonly namespaces: readonly number[],
  ) {}

  /**
   * Makes a network. Resolves when programs can be started in it. Rejects with {@link NetworkError}.
   *
   * @param become a command-line prefix that switches to the network's user
   */
  static async open(become: readonly string[] = []): Promise<OwnNetwork> {
    const command = [
      ...become,
      ...guardedCommand([
        // Bubblewrap activates the loopback interface. Otherwise this would need another program.
        ...['bwrap', '--unshare-user', '--unshare-net', '--die-with-parent', '--dev-bind', '/', '/', '--'],
        ...['sh', '-c', ENTERED, 'sh', NODE_PATH, '-e', SCRIPT],
      ]),
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
    // The code that uses the listener handles the failure.
    listener.catch(() => undefined);
    try {
      const pid = await inTime(Promise.race([firstLineOf(child.stdout), failure]));
      // These descriptors keep the namespaces alive.
      const namespaces = ['user', 'net'].map((kind) => openSync(`/proc/${pid}/ns/${kind}`, 'r'));
      return new OwnNetwork(listener, namespaces);
    } catch (error) {
      end();
      throw error;
    }
  }

  /**
   * Returns the command line that runs a program in this network.
   *
   * @param first number of the first descriptor that the program receives
   */
  inside(program: readonly string[], first: number): NetworkCommand {
    const [user, network] = [first, first + 1];
    // Closes the descriptors before the program starts.
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
  if (!stream) throw new NetworkError('bubblewrap has no output.');
  const [line] = (await once(createInterface({ input: stream }), 'line')) as [string];
  return line;
}

async function listening(child: ChildProcess): Promise<unknown> {
  const [, listener] = (await once(child, 'message')) as [unknown, unknown];
  if (!listener) throw new NetworkError('its socket was not received.');
  return listener;
}

/** Rejects when the child process ends. The error contains its error output. */
async function failureOf(child: ChildProcess): Promise<never> {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  const error = await new Promise<Error | undefined>((resolve) => {
    child.once('error', resolve);
    child.once('close', () => resolve(undefined));
  });
  throw new NetworkError(error ? `${error.message}.` : said.trim() || 'bubblewrap ended.');
}

/** Rejects on timeout. */
function inTime<T>(waiting: Promise<T>): Promise<T> {
  const late = () => Promise.reject(new NetworkError('bubblewrap did not answer in time.'));
  return withTimeout(waiting, OPEN_TIMEOUT_MS, late);
}
