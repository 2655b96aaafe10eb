import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from '@playwright/test';
import { ManagedProcess } from '../../../server/src/platform/process/child-process.js';
import { atEnd } from './cleanup.js';
import { LAUNCH_OPTIONS } from './launch-options.js';
import { until } from './until.js';

/** Says that loopback is up, and then keeps the network as long as its input is open. */
const HOLD = 'ip link set lo up && echo up && exec sleep infinity';

/**
 * A network with loopback and nothing else: no route, no name server. Takes root. It ends with the test file.
 */
export class ClosedNetwork {
  private constructor(
    /** A command that runs the command line behind it in this network. */
    readonly through: readonly string[],
  ) {}

  static async open(): Promise<ClosedNetwork> {
    const holder = ManagedProcess.start({
      name: 'The closed network',
      command: 'unshare',
      args: ['--net', 'sh', '-c', HOLD],
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    });
    atEnd(() => holder.stop());
    await until('the network is there', () => holder.logTail.includes('up'));
    return new ClosedNetwork(['nsenter', `--net=/proc/${holder.pid}/ns/net`, '--']);
  }

  /** Starts a user's browser in this network. It ends with the test file. */
  async browser(): Promise<Browser> {
    const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-closed-'));
    atEnd(() => rm(directory, { recursive: true, force: true }));
    const executablePath = join(directory, 'browser');
    const line = [...this.through, LAUNCH_OPTIONS.executablePath].join(' ');
    await writeFile(executablePath, `#!/bin/sh\nexec ${line} "$@"\n`);
    await chmod(executablePath, 0o755);
    const browser = await chromium.launch({ ...LAUNCH_OPTIONS, executablePath });
    atEnd(() => browser.close());
    return browser;
  }
}
