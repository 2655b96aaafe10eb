import { PROTOCOL_VERSION, type Welcome } from 'cloud-browser/protocol';
import type { HostSession } from '../../../host-protocol.js';
import { pixelsOf } from '../../../platform/screen-size.js';

/** Returns the first message to a viewer. It identifies the user and describes the screen. */
export function welcome(session: HostSession, { id, secret }: { id: string; secret: string }): Welcome {
  const { fps, maxArea, pixelRatio, touchGestures } = session;
  return {
    ...{ type: 'welcome', version: PROTOCOL_VERSION, userId: id, secret },
    ...{ ...pixelsOf(session), fps, maxArea, clipboard: true },
    ...(touchGestures.pinch && { pinch: true }),
    ...(pixelRatio !== 1 && { pixelRatio }),
  };
}
