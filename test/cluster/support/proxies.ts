import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from './nodes.js';

/** Milliseconds between two checks of a starting proxy, and the number of checks. */
const LOOK_INTERVAL_MS = 50;
const LOOKS = 200;
const EXAMPLES = new URL('../../../deploy/', import.meta.url);

/** The nodes behind the proxy, by index. */
interface ReachedNodes {
  readonly all: readonly { readonly port: number }[];
}

/** Differences from the examples. */
export interface ProxyOptions {
  /** Address on which the proxy listens. Undefined: 127.0.0.1. */
  address?: string;
  /** The port that the nodes expect the proxy to use. Undefined: any free port. */
  port?: number;
  /** Sends requests to the nodes in turn, regardless of the session. The nodes forward most of them. */
  blind?: boolean;
}

/** A reverse proxy in front of nodes, configured as in this project's example. */
export interface ReverseProxy {
  url: string;
  stop(): Promise<void>;
}

/** Reverse proxies with an example. */
export const PROXIES = {
  HAProxy: (nodes: ReachedNodes, options: ProxyOptions = {}) =>
    start(nodes, options, ['haproxy.cfg', 'haproxy-nodes.map'], (directory) => ({
      command: 'haproxy',
      args: ['-db', '-q', '-C', directory, '-f', 'haproxy.cfg'],
    })),
  nginx: (nodes: ReachedNodes) =>
    start(nodes, {}, ['nginx.conf'], (directory) => ({
      command: 'nginx',
      args: ['-p', directory, '-c', 'nginx.conf', '-e', 'stderr', '-g', `daemon off; pid ${directory}/pid;`],
    })),
};

async function start(
  nodes: ReachedNodes,
  options: ProxyOptions,
  files: readonly string[],
  program: (directory: string) => { command: string; args: string[] },
): Promise<ReverseProxy> {
  const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-proxy-'));
  await chmod(directory, 0o711);
  const { address = '127.0.0.1', port = await freePort() } = options;
  for (const file of files) {
    let text = await readFile(new URL(file, EXAMPLES), 'utf8');
    // The examples' ports are replaced by those of this test. Everything else in the examples stays.
    text = text.replaceAll('127.0.0.1:8000', `${address}:${port}`);
    for (const [index, node] of nodes.all.entries())
      text = text.replaceAll(`127.0.0.1:808${index + 1}`, `127.0.0.1:${node.port}`);
    // Only root can change to another user.
    if (process.getuid?.() !== 0) text = text.replace(/^ *(user|group) haproxy\n/gm, '');
    if (options.blind)
      text = text.replace(/^ *use-server .*\n/m, '').replace('balance leastconn', 'balance roundrobin');
    await writeFile(join(directory, file), text);
  }
  const { command, args } = program(directory);
  // It ends with the test's process, however that ends.
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', command, ...args], {
    stdio: ['ignore', 'ignore', 'ignore'],
    detached: true,
  });
  const stop = async () => {
    await end(child);
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await listening(address, port, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `http://${address}:${port}`, stop };
}

/** Ends a proxy with its workers, which are in its process group. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exit = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await exit;
}

async function listening(address: string, port: number, child: ChildProcess): Promise<void> {
  for (let look = 0; look < LOOKS && child.exitCode === null; look++) {
    const socket = connect(port, address);
    const there = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (there) return;
    await setTimeout(LOOK_INTERVAL_MS);
  }
  throw new Error('The reverse proxy does not listen.');
}
