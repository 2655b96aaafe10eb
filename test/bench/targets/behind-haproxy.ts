import { PROXIES, type ReverseProxy } from '../../cluster/support/proxies.js';
import { freePort } from './free-port.js';
import { Service } from './ours.js';
import type { Target } from './target.js';

/** This project at 60 Hz behind HAProxy, with the configuration of its example. */
export const behindHaproxy: Target = {
  name: 'ours',
  title: 'cloud-browser behind HAProxy',
  async start(page, directory, address = '127.0.0.1') {
    const port = await freePort();
    const environment = { PUBLIC_URL: `http://${address}:${port}`, TRUST_PROXY: '1' };
    const service = await Service.start(directory, environment);
    let proxy: ReverseProxy | undefined;
    const stop = async () => {
      await proxy?.stop();
      await service.stop();
    };
    try {
      proxy = await PROXIES.HAProxy({ all: [service] }, { address, port });
      const session = await service.createSession(page);
      return { viewerAddress: session.embed_url, port, serverProcesses: [service.pid], stop };
    } catch (error) {
      await stop();
      throw error;
    }
  },
};
