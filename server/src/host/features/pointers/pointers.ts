import type { InputEvent } from 'cloud-browser/protocol';
import { pixelsOf, type Size } from '../../../platform/screen-size.js';
import { canUse } from '../../room/users/can-use.js';
import type { MakeFeature } from '../feature.js';
import { PeerPointers } from './peer-pointers.js';

/**
 * Shows the pointers of other users to users with the role `cursor_data`. Shows the pointers of agents to all
 * users who may see the picture.
 */
export const pointers: MakeFeature = ({ calls, users, streams, session }) => {
  const peers = new PeerPointers(calls);
  users.agents.onPointer = ({ id, user }, x, y) => {
    const { width, height } = streams.size ?? pixelsOf(session);
    peers.moved(id, x / width, y / height, user.agent);
  };
  users.agents.onLeft = ({ id }) => peers.left(id);
  return {
    inputCame: (viewer, event) => {
      // The pointer of a user with the role `control` is also shown while another user has control.
      if (!canUse(viewer, 'control') && !users.roster.controls(viewer.userId)) return;
      const at = placeOf(event, streams.size ?? pixelsOf(session));
      if (at) peers.moved(viewer.userId, at.x, at.y);
    },
    viewerLeft: ({ userId }, { userIsGone }) => {
      if (userIsGone) peers.left(userId);
    },
    roomCloses: () => peers.close(),
  };
};

/** Returns the position of an event as fractions of the screen. */
function placeOf(event: InputEvent, { width, height }: Size): { x: number; y: number } | undefined {
  if (event.type === 'relative') return undefined;
  const at = event.type === 'touch' ? event.points[0] : event;
  return at && 'x' in at ? { x: at.x / width, y: at.y / height } : undefined;
}
