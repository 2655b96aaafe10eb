import { join } from 'node:path';
import { firstLine, ManagedProcess } from '../../../server/src/platform/process/child-process.js';
import { HEIGHT, openKiosk, WIDTH } from '../chromium.js';
import { freeDisplay } from '../display.js';
import { until } from '../statistics.js';
import { freePort, isListening } from './free-port.js';
import type { RunningTarget, Target } from './target.js';

/** TigerVNC's X server, websockify and noVNC as Debian packages them, with the settings they come with. */
export const vnc: Target = {
  name: 'vnc',
  title: 'TigerVNC + noVNC',
  async start(page, directory, address = '127.0.0.1') {
    const started: ManagedProcess[] = [];
    const stop = async () => {
      for (const process of started.reverse()) await process.stop();
    };
    try {
      return await startVnc({ page, directory, address }, started, stop);
    } catch (error) {
      await stop();
      throw error;
    }
  },
};

async function startVnc(
  { page, directory, address }: { page: string; directory: string; address: string },
  started: ManagedProcess[],
  stop: () => Promise<void>,
): Promise<RunningTarget> {
  const env = { PATH: '/usr/bin:/bin', HOME: directory };
  const rfbPort = await freePort();
  const display = freeDisplay();
  const server = ManagedProcess.start({
    name: 'Xtigervnc',
    command: 'Xtigervnc',
    args: [
      ...[
        `:${display}`,
        '-displayfd',
        '3',
        '-geometry',
        `${WIDTH}x${HEIGHT}`,
        '-depth',
        '24',
        '-nolisten',
        'tcp',
      ],
      ...['-rfbport', `${rfbPort}`, '-localhost', '-SecurityTypes', 'None', '-s', '0'],
    ],
    env,
    extraStdio: ['pipe'],
  });
  started.push(server);
  await firstLine(server.pipe(3), server);

  const port = await freePort();
  const proxy = ManagedProcess.start({
    name: 'websockify',
    command: 'websockify',
    args: ['--web', '/usr/share/novnc', `${address}:${port}`, `127.0.0.1:${rfbPort}`],
    env,
  });
  started.push(proxy);
  await until(() => isListening(port, address), 'websockify does not listen.');

  started.push(openKiosk('hosted Chromium', { display, profile: join(directory, 'hosted'), url: page }));
  return {
    viewerAddress: `http://${address}:${port}/vnc.html?autoconnect=true`,
    port,
    serverProcesses: started.map(({ pid }) => pid),
    stop,
  };
}
