import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { BIN } from './syscall.mjs';

const WAIT_MS = 2_000;

/**
 * Sends bytes to a server. Resolves to the first byte of its answer. Rejects if there is no server.
 */
export function say(target, bytes) {
  return new Promise((resolve, reject) => {
    const socket = connect(target);
    const end = (outcome) => {
      socket.destroy();
      outcome();
    };
    socket.setTimeout(WAIT_MS, () => end(() => resolve('silence')));
    socket.once('error', (error) => end(() => reject(error)));
    socket.once('connect', () => (bytes ? socket.write(bytes) : end(() => resolve('connected'))));
    socket.once('data', (answer) => end(() => resolve(answer[0])));
    socket.once('close', () => resolve('closed'));
  });
}

/** Returns those of the paths that are sockets which accept connections. */
export async function open(targets) {
  const answers = await Promise.all(
    targets.map((path) =>
      say({ path }).then(
        () => path,
        () => '',
      ),
    ),
  );
  return answers
    .filter(Boolean)
    .map((path) => path.replace('\0', '@'))
    .join(' ');
}

/** The set-up request of the X11 protocol without authorization. */
const KNOCK = Buffer.from('6c000b000000000000000000', 'hex');
const ADMITTED = 1;

/** Runs pactl and returns its output if the server obeys. */
function pactl(...args) {
  const { status, stdout, stderr } = spawnSync(`${BIN}/pactl`, args, {
    encoding: 'utf8',
    timeout: 5_000,
    env: { PULSE_SERVER: process.env.PULSE_SERVER, HOME: '/home/browser' },
  });
  return status === 0 ? `${args.join(' ')}: ${stdout}${stderr}` : '';
}

export const SOCKETS = {
  'shows itself on its own display without the cookie': async () =>
    (await say({ path: '/tmp/.X11-unix/X0' }, KNOCK)) === ADMITTED ? 'admitted' : '',
  'finds another display': () =>
    readdirSync('/tmp/.X11-unix')
      .filter((name) => name !== 'X0')
      .join(' '),
  'connects to displays, sound or devices of another session': ({ neighbourSockets }) =>
    open(neighbourSockets),
  'connects to sockets of its own session that the host alone uses': ({ ownSockets }) => open(ownSockets),
  'connects to sockets of the machine': ({ machineSockets }) => open(machineSockets),
  'loads a module into its sound server': () =>
    pactl('load-module', 'module-native-protocol-tcp', 'port=47113', 'auth-anonymous=1') ||
    pactl('load-module', 'module-pipe-sink', 'file=/tmp/probe-fifo') ||
    pactl('load-module', '/home/browser/own.so'),
  'unloads a module of its sound server': () => {
    // The server accepts it, and keeps it.
    pactl('unload-module', 'module-suspend-on-idle');
    const modules = pactl('list', 'short', 'modules');
    return modules && !modules.includes('module-suspend-on-idle') ? modules : '';
  },
  'ends its sound server': () => pactl('exit'),
  'hears another session': () => {
    // The names of all sources that can be recorded. The session's own output is no secret.
    const sources = pactl('list', 'short', 'sources');
    return sources
      .split('\n')
      .filter((line) => line.includes('\t') && !line.includes('out.monitor'))
      .join('; ');
  },
  'finds the locks of the service': ({ lockDirectories }) =>
    lockDirectories.filter((path) => existsSync(path)).join(' '),
};
