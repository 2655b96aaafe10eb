import { join } from 'node:path';
import { OwnNetwork } from '../../../server/src/host/sandbox/own-network.js';
import { BROWSER_PROXY_PORT } from '../../../server/src/platform/network/browser-proxy.js';
import { ManagedProcess } from '../../../server/src/platform/process/child-process.js';
import type { EgressProcess, ListenerHandle } from '../../../server/src/pool/egress-process.js';
import { CHROMIUM, chromiumFlags } from '../chromium.js';
import { withDirectory } from '../viewer.js';

/** Runs with a Chromium that shows a page, in the machine's network or in one of its own behind the guard. */
export function withBrowser(
  page: string,
  egress: EgressProcess | undefined,
  body: () => Promise<void>,
): Promise<void> {
  return withDirectory(async (directory) => {
    const network = egress && (await OwnNetwork.open());
    const close = network && egress.open((await network.listener) as ListenerHandle, null);
    const proxy = [
      `--proxy-server=http://127.0.0.1:${BROWSER_PROXY_PORT}`,
      '--proxy-bypass-list=<-loopback>',
    ];
    const program = [
      ...[CHROMIUM, ...chromiumFlags(join(directory, 'profile')), '--headless=new'],
      ...['--ignore-certificate-errors', ...(egress ? proxy : []), page],
    ];
    const inside = network?.inside(program, 3);
    const [command = '', ...args] = inside ? [inside.command, ...inside.args] : program;
    const browser = ManagedProcess.start({
      ...{ name: 'Chromium', command, args, cwd: directory, extraStdio: inside?.descriptors ?? [] },
      env: { PATH: '/usr/bin:/bin', HOME: directory, LANG: 'C.UTF-8' },
    });
    try {
      await body();
    } finally {
      await browser.stop();
      close?.();
      network?.close();
    }
  });
}
