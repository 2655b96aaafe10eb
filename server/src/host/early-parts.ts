import type { HostPlace } from '../host-protocol.js';
import { Sound } from './audio/sound.js';
import { EarlyDisplay } from './display/display.js';

/** The parts of a session that start before it is known, while its host waits: the display and the sound. */
export class EarlyParts {
  readonly displays: EarlyDisplay;
  readonly sound: Sound;

  constructor(place: HostPlace) {
    this.displays = new EarlyDisplay(place);
    this.sound = new Sound(place.directory);
  }

  /** Ends what no session took. */
  async stop(): Promise<void> {
    await Promise.allSettled([this.displays.stop(), this.sound.stop()]);
  }
}
