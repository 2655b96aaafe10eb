import type { ExpectedScreen, HostPlace } from '../../host-protocol.js';
import { Sound } from '../audio/sound.js';
import { EarlyDisplay } from '../display/display.js';
import { displayModeOf } from './screen-mode.js';
import { OwnNetwork } from '../sandbox/own-network.js';

/**
 * Parts of a session that start before the session is known, while the host process waits for a session: the
 * display, the sound and the network.
 */
export class EarlyParts {
  readonly displays: EarlyDisplay;
  readonly sound: Sound;
  /** Rejects if the network cannot be made. */
  readonly network: Promise<OwnNetwork>;

  /** @param expected the screen of the session, if it is already known */
  constructor(place: HostPlace, expected?: ExpectedScreen) {
    this.displays = new EarlyDisplay(place, expected && displayModeOf(expected));
    this.sound = new Sound(place.directory);
    this.network = OwnNetwork.open();
    // The code that starts the browser handles the failure.
    this.network.catch(() => undefined);
  }

  /** Ends the parts if no session has started. A display that was already taken is not stopped here. */
  async stop(): Promise<void> {
    const network = this.network.then((made) => made.close());
    await Promise.allSettled([this.displays.stop(), this.sound.stop(), network]);
  }
}
