import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ManagedProcess } from '../../../server/src/platform/process/child-process.js';
import { until } from '../statistics.js';
import { freePort, isListening } from './free-port.js';
import { Service } from './ours.js';
import type { Target } from './target.js';

const EXAMPLES = new URL('../../../deploy/', import.meta.url);

/** This project at 60 Hz behind HAProxy, with the configuration of its example for one node. */
export const behindHaproxy: Target = {
  name: 'ours',
  title: 'cloud-browser behind HAProxy',
  async start(page, directory, address = '127.0.0.1') {
    const port = await freePort();
    const service = await Service.start(directory, {
      PUBLIC_URL: `http://${address}:${port}`,
      TRUST_PROXY: '1',
    });
    let proxy: ManagedProcess | undefined;
    const stop = async () => {
      await proxy?.stop();
      await service.stop();
    };
    try {
      proxy = await startHaproxy(directory, `${address}:${port}`, service.port);
      await until(() => isListening(port, address), 'HAProxy does not listen.');
      const session = await service.createSession(page);
      return { viewerAddress: session.embed_url, port, serverProcesses: [service.pid, proxy.pid], stop };
    } catch (error) {
      await stop();
      throw error;
    }
  },
};

/** Starts it on this address and port, in front of a service on this port of loopback. */
async function startHaproxy(directory: string, listen: string, port: number): Promise<ManagedProcess> {
  const [config, map] = ['haproxy.cfg', 'haproxy-nodes.map'];
  const example = await readFile(new URL(config, EXAMPLES), 'utf8');
  const text = example
    .replaceAll('127.0.0.1:8000', listen)
    .replaceAll('127.0.0.1:8081', `127.0.0.1:${port}`)
    .replace(/^ *server node-[23] .*\n/gm, '');
  await writeFile(join(directory, config), text);
  await writeFile(join(directory, map), await readFile(new URL(map, EXAMPLES)));
  return ManagedProcess.start({
    name: 'HAProxy',
    command: 'haproxy',
    args: ['-db', '-q', '-C', directory, '-f', config],
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
  });
}
