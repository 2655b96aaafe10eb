import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningTarget, Target } from './targets/target.js';
import { Viewer, withDirectory } from './viewer.js';

/** Shows a page through a target and runs a measurement on it. */
export function shown<T>(
  target: Target,
  page: string,
  body: (viewer: Viewer, running: RunningTarget) => Promise<T>,
): Promise<T> {
  return withDirectory(async (directory) => {
    const [server, client] = [join(directory, 'server'), join(directory, 'client')];
    await Promise.all([mkdir(server), mkdir(client)]);
    const running = await target.start(page, server);
    try {
      const viewer = await Viewer.open(running.viewerAddress, client);
      try {
        return await body(viewer, running);
      } finally {
        await viewer.close();
      }
    } finally {
      await running.stop();
    }
  });
}
