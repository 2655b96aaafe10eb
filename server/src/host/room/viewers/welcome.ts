import { PROTOCOL_VERSION, type Hello, type Welcome } from 'cloud-browser/protocol';
import type { HostSession } from '../../../host-protocol.js';
import { pixelsOf } from '../../../platform/screen-size.js';
import type { User } from '../users/known-users.js';

/**
 * Returns the first message to a viewer. It identifies the user and describes the screen. For a viewer that
 * comes back, it also contains the number of the user's newest input event.
 */
export function welcome(
  session: HostSession,
  { id, secret, received }: Pick<User, 'id' | 'secret' | 'received'>,
  { resume }: Pick<Hello, 'resume'>,
): Welcome {
  const { fps, maxArea, pixelRatio, touchGestures } = session;
  return {
    ...{ type: 'welcome', version: PROTOCOL_VERSION, userId: id, secret },
    ...{ ...pixelsOf(session), fps, maxArea, clipboard: true },
    ...(touchGestures.pinch && { pinch: true }),
    ...(pixelRatio !== 1 && { pixelRatio }),
    // A user whose token sets the id is also known without `resume`. That client has sent no earlier events.
    ...(resume?.userId === id && { inputSeq: received.newest }),
  };
}
