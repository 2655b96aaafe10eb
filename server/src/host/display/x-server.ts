import { randomBytes } from 'node:crypto';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { firstLine, ManagedProcess } from '../../platform/process/child-process.js';
import { emptyDirectory } from '../../platform/files/inside.js';
import { DISPLAY, HELPER_FILTER, helperArgs, X_SOCKETS } from '../sandbox/helper-sandbox.js';
import { giveFilter } from '../sandbox/system-calls.js';
import { modeline, type DisplayMode } from './modes.js';
import { XORG } from './xorg-program.js';

const XKB_DATA = '/usr/share/X11/xkb';
/**
 * Milliseconds before a held key repeats, and between repeats. If a viewer stops confirming that it holds a
 * key, the host releases the key before its first repeat, see `room/viewers/idle-timeout.ts`.
 */
const KEY_REPEAT = ['-ardelay', '660', '-arinterval', '33'];
/** Address family of an Xauthority entry that matches every address; X11/Xauth.h. */
const FAMILY_WILD = 0xffff;
const COOKIE_NAME = 'MIT-MAGIC-COOKIE-1';

/** Data that a client needs to connect to a display. */
export interface DisplayAddress {
  /**
   * Directory of the display's Unix socket. Programs must see this directory as `/tmp/.X11-unix`. There they
   * find the display `:0`.
   */
  sockets: string;
  /** Path of the display's Unix socket. */
  socket: string;
  /** Cookie of type MIT-MAGIC-COOKIE-1. The server refuses every client without it. */
  cookie: Buffer;
  /** The cookie as an Xauthority file. */
  authorityFile: string;
  /** Path of the Unix socket of the display's touch screen. */
  touchSocket: string;
}

/** A running X server. */
export interface XServer {
  address: DisplayAddress;
  process: ManagedProcess;
}

/**
 * Starts the session's own X display: Xorg with the dummy driver, on a Unix socket only. Clients need the
 * cookie of this display. Resolves when clients can connect. All files of the display are in `directory`.
 *
 * @param sharesIpc true to run the server in the IPC namespace of the host process. Allowed only if no other
 *   session uses that namespace
 */
export async function startXServer(
  directory: string,
  mode: DisplayMode,
  sharesIpc: boolean,
): Promise<XServer> {
  const home = join(directory, 'x');
  const sockets = join(home, 'sockets');
  // Empties the directory first. A compromised browser may have caused an earlier server to leave links
  // there. The following files are written outside of the sandbox, and writes would follow the links.
  await emptyDirectory(home);
  await mkdir(sockets, { recursive: true, mode: 0o700 });
  const keyboards = await keyboardDirectory(home);
  const config = join(home, 'xorg.conf');
  const authorityFile = join(home, 'authority');
  const cookie = randomBytes(16);
  const devices = { touch: join(home, 'touch'), mouse: join(home, 'mouse') };
  await Promise.all([
    writeFile(config, xorgConfig(mode, devices)),
    writeFile(authorityFile, authorityEntry(cookie), { mode: 0o600 }),
  ]);
  const command = [
    // With -sharevts and -novtswitch, the server uses no virtual terminal and needs no privileges.
    ...[XORG, DISPLAY, '-displayfd', '3', '-config', config, '-configdir', home, '-auth', authorityFile],
    ...['-logfile', join(home, 'xorg.log'), '-nolisten', 'tcp', '-nolisten', 'local', '-noreset'],
    ...['-xkbdir', keyboards, ...KEY_REPEAT, '-novtswitch', '-sharevts', '-keeptty'],
    ...['-s', '0', '-dpms', '-background', 'none', '-verbose', '0'],
  ];
  const room = { writable: { [home]: home, [X_SOCKETS]: sockets }, sharesIpc };
  const xorg = ManagedProcess.start({
    name: 'Xorg',
    command: 'bwrap',
    args: helperArgs(room, { PATH: '/usr/bin:/bin', HOME: home }, command),
    env: { PATH: '/usr/bin:/bin' },
    cwd: home,
    extraStdio: ['pipe', 'pipe'],
  });
  giveFilter(xorg, HELPER_FILTER);
  await firstLine(xorg.pipe(3), xorg);
  const address = { sockets, socket: join(sockets, 'X0'), cookie, authorityFile, touchSocket: devices.touch };
  return { address, process: xorg };
}

/**
 * Creates keyboard data with `evdev` as the default rules. The server's default rules have other keycodes,
 * for example for arrow keys, but Chromium expects those of `evdev`. If the rules were set later, every start
 * would compile a second keymap.
 */
async function keyboardDirectory(home: string): Promise<string> {
  const directory = join(home, 'xkb');
  const rules = join(directory, 'rules');
  await mkdir(rules, { recursive: true });
  const links = ['compat', 'geometry', 'keycodes', 'symbols', 'types'].map((name) =>
    symlink(join(XKB_DATA, name), join(directory, name)),
  );
  await Promise.all([...links, symlink(join(XKB_DATA, 'rules', 'evdev'), join(rules, 'base'))]);
  return directory;
}

/**
 * Returns xorg.conf. GLX is off, because no program uses it. Its software renderer would take 55 MB and half
 * of the server's start time.
 */
function xorgConfig(mode: DisplayMode, sockets: InputSockets): string {
  return `
Section "ServerFlags"
  Option "AutoAddDevices" "false"
  Option "AutoEnableDevices" "false"
  Option "AutoAddGPU" "false"
  Option "DontVTSwitch" "true"
  Option "AllowMouseOpenFail" "true"
EndSection
Section "Module"
  Disable "glx"
EndSection
Section "Monitor"
  Identifier "monitor"
  HorizSync 1-5000
  VertRefresh 1-200
  ${modeline(mode)}
EndSection
Section "Device"
  Identifier "device"
  Driver "dummy"
  VideoRam 65536
EndSection
Section "Screen"
  Identifier "screen"
  Device "device"
  Monitor "monitor"
  DefaultDepth 24
  SubSection "Display"
    Depth 24
    Modes "${mode.name}"
  EndSubSection
EndSection
${inputConfig(sockets)}`;
}

/** Returns one Xauthority entry that matches every host name and display number. */
function authorityEntry(cookie: Buffer): Buffer {
  const counted = (bytes: Buffer) =>
    Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
  return Buffer.concat([
    Buffer.from([FAMILY_WILD >> 8, FAMILY_WILD & 0xff]),
    counted(Buffer.from(hostname())),
    counted(Buffer.alloc(0)),
    counted(Buffer.from(COOKIE_NAME)),
    counted(cookie),
  ]);
}

/** The sockets of the display's input devices. The server creates them when it starts. */
export interface InputSockets {
  /** A touch screen; see `touch-screen.ts`. */
  touch: string;
  /** A mouse that never moves, see {@link inputConfig}. */
  mouse: string;
}

/**
 * Returns the part of xorg.conf for the input devices. The touch screen receives its touches over a socket
 * (inputtest(4), part of every Xorg). There is also a mouse, as on a laptop with a touch screen. Without a
 * mouse, Chromium would report to all pages that no device can hover. Mouse events themselves go through
 * XTest.
 */
export function inputConfig({ touch, mouse }: InputSockets): string {
  return `
${device('touch', 'Touch', touch)}
${device('mouse', 'PointerAbsolute', mouse)}
Section "ServerLayout"
  Identifier "layout"
  Screen "screen"
  InputDevice "touch"
  InputDevice "mouse"
EndSection
`;
}

function device(name: string, type: string, socket: string): string {
  return `Section "InputDevice"
  Identifier "${name}"
  Driver "inputtest"
  Option "DeviceType" "${type}"
  Option "SocketPath" "${socket}"
EndSection`;
}
