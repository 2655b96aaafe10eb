import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostPlace } from '../host-protocol.js';
import { ManagedProcess } from '../platform/process/child-process.js';
import { startAdviceOf } from '../platform/process/start-advice.js';
import { CHROMIUM } from './browser/launch/arguments.js';
import { CdpConnection } from './browser/cdp/cdp-connection.js';
import { BROWSER_FILTER, browserSandbox, giveArguments, INNER_HOME } from './sandbox/bubblewrap.js';
import { MEMORY, memoryIn } from './sandbox/no-exec.js';
import { giveFilter } from './sandbox/system-calls.js';
import { proveConfined, UnsafeBrowserError } from './sandbox/proof.js';

const ARGUMENTS = [
  '--headless=new',
  '--remote-debugging-pipe',
  `--user-data-dir=${INNER_HOME}/profile`,
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-breakpad',
  '--password-store=basic',
  '--no-first-run',
  'about:blank',
];

/**
 * Starts Chromium as a session does, but without display and network. Checks that the sandbox confines
 * Chromium's renderers, which are the processes of pages. Throws {@link UnsafeBrowserError} if the sandbox
 * does not confine them, because the service must not start on such a machine. The browser has no network,
 * because its update requests would bypass `EGRESS_DNS` and all other rules of the egress process.
 */
export async function proveSandboxAt(place: HostPlace): Promise<void> {
  const home = join(place.directory, 'home');
  const policies = join(place.directory, 'policies');
  const made = [
    home,
    policies,
    join(place.directory, 'memory'),
    ...MEMORY.map((name) => memoryIn(place.directory, name)),
  ];
  for (const directory of made) {
    await mkdir(directory, { mode: 0o755, recursive: true });
    if (place.uid !== undefined && place.gid !== undefined) await chown(directory, place.uid, place.gid);
  }
  const user = { uid: place.uid ?? process.getuid?.() ?? 0, gid: place.gid ?? process.getgid?.() ?? 0 };
  const room = {
    directory: place.directory,
    user,
    home,
    policies,
    sharesIpc: false,
    network: 'none' as const,
  };
  const sandbox = browserSandbox(room, { HOME: INNER_HOME }, [CHROMIUM, ...ARGUMENTS]);
  const become =
    place.uid === undefined
      ? []
      : ['setpriv', '--reuid', `${place.uid}`, '--regid', `${place.gid}`, '--clear-groups', '--'];
  const [program = 'unshare', ...args] = [...become, ...sandbox.command];
  const chromium = ManagedProcess.start({
    name: 'Chromium',
    command: program,
    args,
    env: { PATH: '/usr/bin:/bin' },
    cwd: place.directory,
    extraStdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  giveFilter(chromium, BROWSER_FILTER);
  giveArguments(chromium, sandbox.args);
  const cdp = new CdpConnection(chromium.pipe(3), chromium.pipe(4));
  try {
    await cdp.browser.send('Browser.getVersion', {}).catch(() => {
      throw new UnsafeBrowserError(
        `Chromium does not start in its sandbox.\n${chromium.logTail}\n`,
        startAdviceOf(chromium.logTail),
      );
    });
    await proveConfined(place.uid ?? process.getuid?.() ?? -1);
  } finally {
    cdp.close();
    await chromium.stop();
  }
}
