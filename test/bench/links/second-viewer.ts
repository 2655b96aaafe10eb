import { fileURLToPath } from 'node:url';
import { firstLine, ManagedProcess } from '../../../server/src/platform/process/child-process.js';
import { Link, type CongestionControl, type LinkSpec } from './link.js';

const PROGRAM = fileURLToPath(new URL('second-viewer-process.ts', import.meta.url));
/** Number of its link; the measured viewer has 0. */
const NUMBER = 1;

/** Another viewer of the session, over a link of its own. It acknowledges every frame and decodes none. */
export class SecondViewer {
  private constructor(
    private readonly link: Link,
    private readonly process: ManagedProcess,
  ) {}

  /** Resolves when it receives frames. */
  static async start(address: string, spec: LinkSpec, congestion: CongestionControl): Promise<SecondViewer> {
    const link = await Link.start(spec, NUMBER);
    link.useCongestionControl(congestion);
    const viewer = ManagedProcess.start({
      name: 'the second viewer',
      command: 'nsenter',
      args: [
        `--net=/proc/${link.viewerSide}/ns/net`,
        ...[process.execPath, '--import', 'tsx', PROGRAM, address],
      ],
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
      extraStdio: ['pipe'],
    });
    try {
      await firstLine(viewer.pipe(3), viewer);
    } catch (error) {
      await viewer.stop();
      await link.stop();
      throw error;
    }
    return new SecondViewer(link, viewer);
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await this.link.stop();
  }
}
