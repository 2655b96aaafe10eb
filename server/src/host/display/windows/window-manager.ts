import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ManagedProcess } from '../../../platform/process/child-process.js';
import { emptyDirectory } from '../../../platform/files/inside.js';
import { DISPLAY, HELPER_FILTER, helperArgs, X_SOCKETS } from '../../sandbox/helper-sandbox.js';
import { giveFilter } from '../../sandbox/system-calls.js';
import { titleBars, type TitleBars } from './title-bars.js';
import { atomOf, type XConnection } from '../x-client.js';
import type { DisplayAddress } from '../x-server.js';

/** Command of openbox's own message `_OB_CONTROL`, and the event mask of its receiver. */
const RECONFIGURE = 1;
const TO_WINDOW_MANAGER = 0x180000;

/**
 * Starts openbox without key bindings or menus. Main windows and popups fill the screen, dialogs stay inside
 * it, and new windows get the focus. Without a window manager, a second window would open partly outside of
 * the screen, and would receive no keys.
 */
export async function startWindowManager(
  directory: string,
  display: DisplayAddress,
  kiosk: boolean,
  pixelRatio: number,
): Promise<ManagedProcess> {
  const home = homeIn(directory);
  // Empties the directory first. A compromised earlier window manager may have left links there, and writes
  // would follow them.
  await emptyDirectory(home);
  const config = configIn(home);
  await writeFile(config, openboxConfig(kiosk, await titleBars(home, pixelRatio)));
  const room = {
    writable: { [home]: home },
    readOnly: { [X_SOCKETS]: display.sockets, [display.authorityFile]: display.authorityFile },
  };
  const environment = {
    PATH: '/usr/bin:/bin',
    HOME: home,
    XDG_CACHE_HOME: home,
    DISPLAY,
    XAUTHORITY: display.authorityFile,
  };
  const manager = ManagedProcess.start({
    name: 'openbox',
    command: 'bwrap',
    args: helperArgs(room, environment, ['openbox', '--sm-disable', '--config-file', config]),
    env: { PATH: '/usr/bin:/bin' },
    cwd: home,
    extraStdio: ['pipe', 'pipe'],
  });
  giveFilter(manager, HELPER_FILTER);
  return manager;
}

/** Applies another pixel ratio to a running window manager. */
export async function scaleWindowManager(
  directory: string,
  connection: XConnection,
  kiosk: boolean,
  pixelRatio: number,
): Promise<void> {
  const home = homeIn(directory);
  const [control] = await Promise.all([
    atomOf(connection, '_OB_CONTROL'),
    titleBars(home, pixelRatio).then((bars) => writeFile(configIn(home), openboxConfig(kiosk, bars))),
  ]);
  const { x, root } = connection;
  x.SendClientMessage(root, root, control, 32, [RECONFIGURE], TO_WINDOW_MANAGER);
}

function homeIn(directory: string): string {
  return join(directory, 'openbox');
}

function configIn(home: string): string {
  return join(home, 'rc.xml');
}

/**
 * Returns openbox's configuration. Later rules override earlier ones. A kiosk's window is full screen from
 * the start, so that no page is first laid out at another size. No button or key iconifies, moves or resizes
 * a window. Popups have a title bar with only a close button. Chromium's task manager, a window without a
 * class, has such a title bar too.
 */
export function openboxConfig(kiosk: boolean, { theme, fonts }: TitleBars): string {
  const fill = kiosk ? '<fullscreen>yes</fullscreen>' : '<maximized>yes</maximized>';
  const centred = '<position force="yes"><x>center</x><y>center</y></position>';
  return `<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew><followMouse>no</followMouse><focusLast>yes</focusLast></focus>
  <placement><policy>Smart</policy><center>yes</center><monitor>Primary</monitor></placement>
  <theme><name>${theme}</name><titleLayout>LC</titleLayout><keepBorder>no</keepBorder><animateIconify>no</animateIconify>${fonts}</theme>
  <desktops><number>1</number><popupTime>0</popupTime></desktops>
  <resize><drawContents>yes</drawContents><popupShow>Never</popupShow></resize>
  <keyboard></keyboard>
  <mouse>
    <dragThreshold>8</dragThreshold>
    <context name="Close"><mousebind button="Left" action="Click"><action name="Close"/></mousebind></context>
  </mouse>
  <applications>
    <application class="Chromium*" type="normal"><decor>no</decor>${fill}<focus>yes</focus></application>
    <application class="Chromium*" role="pop-up" type="normal"><decor>yes</decor><fullscreen>no</fullscreen><maximized>yes</maximized></application>
    <application class="" type="normal"><decor>yes</decor>${centred}</application>
    <application class="*" type="dialog"><decor>no</decor>${centred}</application>
  </applications>
</openbox_config>
`;
}
