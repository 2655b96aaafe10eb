/**
 * Three nodes behind HAProxy as one program, which tests start in place of a service: it prints the proxy's
 * address and the output of the nodes, and ends them when it gets a signal to end. All that nodes run is
 * below this process.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../cluster/support/nodes.js';
import { PROXIES } from '../../cluster/support/proxies.js';

/** Number of nodes in deploy/haproxy.cfg. */
const COUNT = 3;
const READY = /ready: http/;

const { STATE_DIR = '', ...common } = process.env;
const [, , cli = ''] = process.argv;
const publicUrl = `http://127.0.0.1:${await freePort()}`;
const nodes = await Promise.all(
  Array.from({ length: COUNT }, async (_, index) => ({ name: `node-${index + 1}`, port: await freePort() })),
);

/**
 * The environment of a node: the settings of the README, and separate ones for several nodes on one machine.
 * They may share the places of sessions.
 */
const environmentOf = ({ name, port }: { name: string; port: number }): NodeJS.ProcessEnv => ({
  ...common,
  PUBLIC_URL: common['CLUSTER_MODE'] === 'direct' ? `http://127.0.0.1:${port}` : publicUrl,
  ...{ NODE_NAME: name, PORT: `${port}`, TRUST_PROXY: '1', STATE_DIR: join(STATE_DIR, name) },
});

/**
 * Starts a node in its own process group, so that a signal to the parent's group reaches it only once.
 * Resolves when the node accepts requests.
 */
async function startNode(node: { name: string; port: number }): Promise<ChildProcess> {
  const args = ['--pdeathsig', 'KILL', '--', process.execPath, cli];
  const child = spawn('setpriv', args, {
    env: environmentOf(node),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const print = (line: string) => void process.stdout.write(`${node.name} ${line}\n`);
  createInterface({ input: child.stderr }).on('line', print);
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => (READY.test(line) ? resolve() : print(line)));
    child.once('exit', () => reject(new Error(`${node.name} ended before it was ready.`)));
  });
  return child;
}

// The control files of the proxy are removed with the directory of the test, even if this process is killed.
process.env['TMPDIR'] = dirname(STATE_DIR);
const children = await Promise.all(nodes.map(startNode));
const proxy = await PROXIES.HAProxy(
  { all: nodes },
  { port: Number(new URL(publicUrl).port), blind: common['BLIND_PROXY'] === '1' },
);

/** Ends the nodes with a signal, and exits with their highest exit code. */
async function stop(signal: NodeJS.Signals): Promise<void> {
  const codes = await Promise.all(
    children.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? 1;
      const exit = once(child, 'exit') as Promise<[number | null]>;
      child.kill(signal);
      return (await exit)[0] ?? 1;
    }),
  );
  await proxy.stop();
  process.exit(Math.max(...codes));
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
process.stdout.write(`nodes: ${nodes.map(({ port }) => `http://127.0.0.1:${port}`).join(' ')}\n`);
process.stdout.write(`cloud-browser is ready: ${publicUrl}/\n`);
