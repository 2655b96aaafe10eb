import type { HostMessage } from 'cloud-browser/protocol';
import type { ScreenShape } from '../../platform/screen-size.js';
import { browserUnavailable } from '../room/calls/call-error.js';
import type { StreamHub } from '../stream/stream-hub.js';
import type { Workstation } from './workstation.js';

/** The parts of a workstation that a change of the screen needs. */
type Changeable = Pick<Workstation, 'partEnded' | 'resize' | 'screen' | 'stopping'>;

/**
 * Carries out changes of the screen's shape: its size and pixel ratio. Viewers keep the last picture until
 * the first picture of the new shape.
 */
export class ScreenChanges {
  /**
   * @param session stores the shape for new viewers and for a restarted browser
   * @param workstation returns the running workstation. Undefined before viewers see one
   * @param tellAll sends a message to all viewers
   */
  constructor(
    private readonly session: ScreenShape,
    private readonly streams: Pick<StreamHub, 'pause' | 'show'>,
    private readonly workstation: () => Changeable | undefined,
    private readonly tellAll: (message: HostMessage) => void,
  ) {}

  /**
   * Applies a shape. Rejects if the display cannot have this shape, if viewers see no browser, or if a part
   * of the workstation ends.
   */
  async apply(shape: ScreenShape): Promise<void> {
    const workstation = this.workstation();
    // The workstation may be stopped during each `await`.
    const stopping = () => !workstation || workstation.stopping;
    if (!workstation || stopping()) throw browserUnavailable();
    // If the display has ended, a picture that is being read never arrives, and `pause` does not resolve. So
    // the end of a part also ends the waiting.
    const gone = workstation.partEnded.then(() => Promise.reject(browserUnavailable()));
    await Promise.race([this.streams.pause(), gone]);
    try {
      await workstation.resize(shape);
      const { pixelRatio } = this.session;
      Object.assign(this.session, shape);
      if (shape.pixelRatio !== pixelRatio) this.tellAll({ type: 'screen', pixelRatio: shape.pixelRatio });
    } catch (error) {
      throw stopping() ? browserUnavailable() : error;
    } finally {
      if (!stopping()) this.streams.show(workstation.screen);
    }
  }
}
