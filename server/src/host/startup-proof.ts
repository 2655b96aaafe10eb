import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostPlace } from '../host-protocol.js';
import { ManagedProcess } from '../platform/child-process.js';
import { CHROMIUM } from './browser/launch/arguments.js';
import { CdpConnection } from './browser/cdp/cdp-connection.js';
import { BROWSER_FILTER, bubblewrapArgs, INNER_HOME } from './sandbox/bubblewrap.js';
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
 * Starts a Chromium as sessions do, without a display, and examines its renderers: on a machine that cannot confine pages
 * the service must not start. Throws {@link UnsafeBrowserError}.
 */
export async function proveSandboxAt(place: HostPlace): Promise<void> {
  const home = join(place.directory, 'home');
  const policies = join(place.directory, 'policies');
  for (const directory of [home, policies]) {
    await mkdir(directory, { mode: 0o755 });
    if (place.uid !== undefined && place.gid !== undefined) await chown(directory, place.uid, place.gid);
  }
  const command = [
    'bwrap',
    ...bubblewrapArgs({ home, policies, sharesIpc: false }, { HOME: INNER_HOME }, [CHROMIUM, ...ARGUMENTS]),
  ];
  const become =
    place.uid === undefined
      ? []
      : ['setpriv', '--reuid', `${place.uid}`, '--regid', `${place.gid}`, '--clear-groups', '--'];
  const [program = 'bwrap', ...args] = [...become, ...command];
  const chromium = ManagedProcess.start({
    name: 'Chromium',
    command: program,
    args,
    env: { PATH: '/usr/bin:/bin' },
    extraStdio: ['pipe', 'pipe', 'pipe'],
  });
  giveFilter(chromium, BROWSER_FILTER);
  const cdp = new CdpConnection(chromium.pipe(3), chromium.pipe(4));
  try {
    await cdp.browser.send('Browser.getVersion', {}).catch(() => {
      throw new UnsafeBrowserError(`Chromium does not start in its sandbox.\n${chromium.logTail}\n`);
    });
    await proveConfined(place.uid ?? process.getuid?.() ?? -1);
  } finally {
    cdp.close();
    await chromium.stop();
  }
}
