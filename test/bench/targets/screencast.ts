import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstLine, ManagedProcess } from '../../../server/src/platform/process/child-process.js';
import type { Target } from './target.js';

const RELAY = fileURLToPath(new URL('screencast-relay.ts', import.meta.url));

/**
 * The simplest remote browser, as a baseline. A headless Chromium sends `Page.startScreencast` frames as JPEG
 * of quality 80. Each frame is forwarded over a WebSocket and acknowledged. `viewerPage` is the address of
 * pages/screencast.html.
 */
export function screencast(viewerPage: string): Target {
  return {
    name: 'screencast',
    title: 'CDP screencast, JPEG q80',
    async start(page, directory) {
      const relay = ManagedProcess.start({
        name: 'screencast relay',
        command: process.execPath,
        args: ['--import', 'tsx', RELAY, page, join(directory, 'hosted')],
        env: { PATH: '/usr/bin:/bin', HOME: directory, LANG: 'C.UTF-8' },
        extraStdio: ['pipe'],
      });
      try {
        const port = Number(await firstLine(relay.pipe(3), relay));
        return {
          viewerAddress: `${viewerPage}?relay=ws://127.0.0.1:${port}`,
          port,
          serverProcesses: [relay.pid],
          stop: () => relay.stop(),
        };
      } catch (error) {
        await relay.stop();
        throw error;
      }
    },
  };
}
