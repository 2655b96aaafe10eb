import type { HostMessage } from 'cloud-browser/protocol';
import type { HostSession } from '../../host-protocol.js';
import type { ScreenShape } from '../../platform/screen-size.js';
import { browserUnavailable } from '../room/calls/call-error.js';
import type { StreamHub } from '../stream/stream-hub.js';
import type { Workstation } from './workstation.js';

/**
 * Carries out changes of the screen's shape: its size and pixel ratio. Viewers keep the last picture until
 * the first picture of the new shape.
 */
export class ScreenChanges {
  /**
   * @param session stores the shape for new viewers and for a restarted browser
   * @param workstation returns the running workstation; undefined before viewers see one
   * @param tellAll sends a message to all viewers
   */
  constructor(
    private readonly session: HostSession,
    private readonly streams: StreamHub,
    private readonly workstation: () => Workstation | undefined,
    private readonly tellAll: (message: HostMessage) => void,
  ) {}

  /** Applies a shape. Rejects if the display cannot have this shape, or if viewers see no browser. */
  async apply(shape: ScreenShape): Promise<void> {
    const workstation = this.workstation();
    // The workstation may be stopped during each `await`.
    const stopping = () => !workstation || workstation.stopping;
    if (!workstation || stopping()) throw browserUnavailable();
    await this.streams.pause();
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
