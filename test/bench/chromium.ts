import { ManagedProcess } from '../../server/src/platform/process/child-process.js';

export const CHROMIUM = '/usr/lib/chromium/chromium';

/** The picture's size in every target, CSS pixels = device pixels. */
export const WIDTH = 1280;
export const HEIGHT = 720;

/** Flags that every Chromium of the benchmark gets, viewer or hosted, so that none does more than another. */
export function chromiumFlags(profile: string): string[] {
  return [
    `--user-data-dir=${profile}`,
    `--window-size=${WIDTH},${HEIGHT}`,
    '--window-position=0,0',
    '--no-first-run',
    '--no-default-browser-check',
    '--password-store=basic',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-quic',
    '--disable-lcd-text',
    '--noerrdialogs',
    // Without this a bar at the top complains about --no-sandbox and moves the page.
    '--test-type',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
}

/** Network namespace and additional flags of a Chromium. */
export interface Place {
  /** A process in the namespace. Absent: the namespace of this process. */
  networkOf?: number;
  flags?: readonly string[];
}

/** Opens a page in a headful Chromium that fills the X display. */
export function openKiosk(
  name: string,
  options: { display: number; profile: string; url: string } & Place,
): ManagedProcess {
  const { display, profile, url, networkOf, flags = [] } = options;
  const program = [CHROMIUM, ...chromiumFlags(profile), ...flags, '--kiosk', url];
  const [command = CHROMIUM, ...args] =
    networkOf === undefined ? program : ['nsenter', `--net=/proc/${networkOf}/ns/net`, ...program];
  return ManagedProcess.start({
    name,
    command,
    args,
    env: {
      PATH: '/usr/bin:/bin',
      HOME: profile,
      LANG: 'C.UTF-8',
      DISPLAY: `:${display}`,
    },
  });
}
