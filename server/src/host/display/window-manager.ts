import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ManagedProcess } from '../../platform/child-process.js';
import { emptyDirectory } from '../../platform/inside.js';
import { DISPLAY, HELPER_FILTER, helperArgs, X_SOCKETS } from '../sandbox/helper-room.js';
import { giveFilter } from '../sandbox/system-calls.js';
import type { DisplayAddress } from './x-server.js';

/**
 * Starts openbox without key bindings or menus: main windows and popups fill the screen, dialogs are kept inside it, and what is
 * new gets the focus. Without a window manager a second window would open half outside and never get a key.
 */
export async function startWindowManager(
  directory: string,
  display: DisplayAddress,
  kiosk: boolean,
): Promise<ManagedProcess> {
  const home = join(directory, 'openbox');
  // What an earlier one may have been made to leave there is not written through.
  await emptyDirectory(home);
  const config = join(home, 'rc.xml');
  await writeFile(config, openboxConfig(kiosk));
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

/**
 * A kiosk's window is full screen from its first moment, so that no page is laid out at another size before. Rules further down
 * win. No button or key iconifies, moves or resizes a window; the title bar of a popup, and of Chromium's task manager, which
 * has no class, is there to close it.
 */
export function openboxConfig(kiosk: boolean): string {
  const fill = kiosk ? '<fullscreen>yes</fullscreen>' : '<maximized>yes</maximized>';
  const centred = '<position force="yes"><x>center</x><y>center</y></position>';
  return `<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew><followMouse>no</followMouse><focusLast>yes</focusLast></focus>
  <placement><policy>Smart</policy><center>yes</center><monitor>Primary</monitor></placement>
  <theme><name>Clearlooks</name><titleLayout>LC</titleLayout><keepBorder>no</keepBorder><animateIconify>no</animateIconify></theme>
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
