import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { firstLine, ManagedProcess } from '../../server/src/platform/process/child-process.js';
import { HEIGHT, WIDTH } from './chromium.js';

const FIRST_NUMBER = 300;

/** The number of an X display that is not in use, far from the numbers that sessions take. */
export function freeDisplay(): number {
  let number = FIRST_NUMBER;
  while (existsSync(`/tmp/.X${number}-lock`) || existsSync(`/tmp/.X11-unix/X${number}`)) number++;
  return number;
}

/** The viewer's display: an Xorg with the dummy driver and one mode, refreshed 60 times a second. */
export class Display {
  private constructor(
    readonly number: number,
    private readonly xorg: ManagedProcess,
  ) {}

  static async start(directory: string): Promise<Display> {
    const config = join(directory, 'xorg.conf');
    await writeFile(config, CONFIG);
    const number = freeDisplay();
    const xorg = ManagedProcess.start({
      name: "the viewer's Xorg",
      command: '/usr/lib/xorg/Xorg',
      args: [
        ...[`:${number}`, '-displayfd', '3', '-config', config, '-configdir', directory],
        ...['-logfile', join(directory, 'xorg.log'), '-nolisten', 'tcp', '-noreset'],
        ...['-novtswitch', '-sharevts', '-keeptty', '-s', '0', '-dpms'],
      ],
      env: { PATH: '/usr/bin:/bin', HOME: directory },
      extraStdio: ['pipe'],
    });
    await firstLine(xorg.pipe(3), xorg);
    return new Display(number, xorg);
  }

  async stop(): Promise<void> {
    await this.xorg.stop();
  }
}

/** A little larger than the window: Chromium makes a window as large as the screen one pixel smaller. */
const [SCREEN_WIDTH, SCREEN_HEIGHT] = [WIDTH + 16, HEIGHT + 16];

/** Totals of 1400 x 750 pixels at 63 MHz are exactly 60 Hz. */
const CONFIG = `
Section "ServerFlags"
  Option "AutoAddDevices" "false"
  Option "AutoAddGPU" "false"
  Option "DontVTSwitch" "true"
EndSection
Section "Monitor"
  Identifier "monitor"
  HorizSync 1-5000
  VertRefresh 1-200
  Modeline "viewer" 63.0 ${SCREEN_WIDTH} 1310 1340 1400 ${SCREEN_HEIGHT} 740 745 750
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
    Modes "viewer"
  EndSubSection
EndSection
`;
