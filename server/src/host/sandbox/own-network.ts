import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
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
/**
 * Sends the bare handle: a `net.Server` would begin to accept connections in every process that it passes. Then it does nothing, so
 * that it accepts none itself, until we close its standard input: it may be killed late.
 */
const SCRIPT = `
  const server = require('node:net').createServer();
  process.on('disconnect', () => process.exit());
  server.listen({ host: '127.0.0.1', port: ${BROWSER_PROXY_PORT}, backlog: 511 }, () =>
    process.send({ pid: process.pid }, server._handle, () => {
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
 * that there is for programs inside. The namespace lasts until it is closed and nothing runs in it.
 */
export class OwnNetwork {
  private constructor(
    /** The listening socket, as Node's `process.send` passes it on. */
    readonly listener: unknown,
    private readonly namespaces: readonly number[],
  ) {}

  /**
   * Makes a network. Rejects with {@link NetworkError}.
   *
   * @param become a command line in front that becomes the user for whom it is made
   */
  static async open(become: readonly string[] = []): Promise<OwnNetwork> {
    const command = [
      ...become,
      ...['setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--'],
      // Bubblewrap raises loopback, which takes a program of its own otherwise.
      ...['bwrap', '--unshare-user', '--unshare-net', '--die-with-parent', '--dev-bind', '/', '/', '--'],
      ...[NODE_PATH, '-e', SCRIPT],
    ];
    const [program = '', ...args] = command;
    const child = spawn(program, args, {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'pipe', 'ipc', NODE],
    });
    try {
      const { pid, listener } = await listening(child);
      const namespaces = ['user', 'net'].map((kind) => openSync(`/proc/${pid}/ns/${kind}`, 'r'));
      return new OwnNetwork(listener, namespaces);
    } finally {
      // The namespaces stay, by our descriptors.
      child.stdin?.destroy();
      child.kill('SIGKILL');
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

async function listening(child: ChildProcess): Promise<{ pid: number; listener: unknown }> {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(new NetworkError('nothing happens.')), OPEN_TIMEOUT_MS);
      child.once('error', (error) => reject(new NetworkError(`${error.message}.`)));
      child.once('close', () => reject(new NetworkError(said.trim() || 'bubblewrap ended.')));
      child.once('message', (message, listener: unknown) => {
        const pid = typeof message === 'object' && 'pid' in message ? message.pid : undefined;
        if (typeof pid === 'number' && listener) resolve({ pid, listener });
        else reject(new NetworkError('its socket was not passed on.'));
      });
    });
  } finally {
    clearTimeout(timer);
  }
}
