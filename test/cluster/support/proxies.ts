import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from './nodes.js';

/** How often a proxy that starts is looked for, and how many times. */
const LOOK_INTERVAL_MS = 50;
const LOOKS = 200;
const EXAMPLES = new URL('../../../deploy/', import.meta.url);

/** The nodes behind it, by their places. */
interface ReachedNodes {
  readonly all: readonly { readonly port: number }[];
}

/** What is not as in the examples. */
export interface ProxyOptions {
  /** The port on which nodes were told that it listens; any when it is undefined. */
  port?: number;
  /** Requests go to the nodes in turn, whatever they are about: the nodes pass most of them on. */
  blind?: boolean;
}

/** A reverse proxy before nodes, as the example of this project has it. */
export interface ReverseProxy {
  url: string;
  stop(): Promise<void>;
}

/** The reverse proxies that there are examples for. */
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
  const port = options.port ?? (await freePort());
  for (const file of files) {
    let text = await readFile(new URL(file, EXAMPLES), 'utf8');
    // The examples' ports become those of this test; what stands in them otherwise is what runs.
    text = text.replaceAll('127.0.0.1:8000', `127.0.0.1:${port}`);
    for (const [index, node] of nodes.all.entries())
      text = text.replaceAll(`127.0.0.1:808${index + 1}`, `127.0.0.1:${node.port}`);
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
    await listening(port, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `http://127.0.0.1:${port}`, stop };
}

/** With its workers, which are in its process group. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exit = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await exit;
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  for (let look = 0; look < LOOKS && child.exitCode === null; look++) {
    const socket = connect(port, '127.0.0.1');
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
