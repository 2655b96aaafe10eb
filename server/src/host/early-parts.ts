import type { ExpectedScreen, HostPlace } from '../host-protocol.js';
import { Sound } from './audio/sound.js';
import { EarlyDisplay } from './display/display.js';
import { displayModeOf } from './screen-mode.js';
import { OwnNetwork } from './sandbox/own-network.js';

/** The parts of a session that start before it is known, while its host waits: the display, the sound and the network. */
export class EarlyParts {
  readonly displays: EarlyDisplay;
  readonly sound: Sound;
  /** Rejects when there can be none. */
  readonly network: Promise<OwnNetwork>;

  /** @param expected the screen of the session, as far as it is known already */
  constructor(place: HostPlace, expected?: ExpectedScreen) {
    this.displays = new EarlyDisplay(place, expected && displayModeOf(expected));
    this.sound = new Sound(place.directory);
    this.network = OwnNetwork.open();
    // Whoever starts the browser is told.
    this.network.catch(() => undefined);
  }

  /** Ends what no session took. */
  async stop(): Promise<void> {
    const network = this.network.then((made) => made.close());
    await Promise.allSettled([this.displays.stop(), this.sound.stop(), network]);
  }
}
