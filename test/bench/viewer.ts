import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ManagedProcess } from '../../server/src/platform/process/child-process.js';
import { openKiosk, type Place } from './chromium.js';
import { Display } from './display.js';
import { Screen } from './screen.js';

/** A headful Chromium alone on its own X display. The measurement reads this display. */
export class Viewer {
  private constructor(
    readonly screen: Screen,
    private readonly display: Display,
    private readonly chromium: ManagedProcess,
  ) {}

  static async open(address: string, directory: string, place: Place = {}): Promise<Viewer> {
    const display = await Display.start(directory);
    const chromium = openKiosk('viewer Chromium', {
      display: display.number,
      profile: join(directory, 'viewer'),
      url: address,
      ...place,
    });
    try {
      return new Viewer(await Screen.connect(display.number), display, chromium);
    } catch (error) {
      await chromium.stop();
      await display.stop();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.screen.close();
    await this.chromium.stop();
    await this.display.stop();
  }
}

/** Runs with an empty directory that is removed afterwards. */
export async function withDirectory<T>(body: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-bench-'));
  try {
    return await body(directory);
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
