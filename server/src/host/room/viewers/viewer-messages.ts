import { decodeInput, decodeViewerMessage, ProtocolError, type InputEvent } from 'cloud-browser/protocol';
import type { StreamHub } from '../../stream/stream-hub.js';
import type { Calls } from '../calls/calls.js';
import type { RoomFeature } from '../feature.js';
import { FLOOD } from './flood-guard.js';
import type { RoomListener } from '../room-listener.js';
import { movesAway } from '../users/received-input.js';
import type { SessionUsers } from '../users/session-users.js';
import type { Viewer } from './viewer.js';

/** Parts of a room that receive the messages of its viewers. */
export interface MessageReceivers {
  users: SessionUsers;
  streams: Pick<StreamHub, 'acknowledged' | 'inputCame'>;
  calls: Pick<Calls, 'answer'>;
  features: readonly RoomFeature[];
  listener: Pick<RoomListener, 'onActivity'>;
}

/** Reason why the host disconnects a viewer after a message. */
export interface MessageRefusal {
  reason: 'flooding' | 'rejected';
  message: string;
}

/**
 * Reads the messages of viewers: counts them, checks rights, and passes them to input, streams, calls and
 * features.
 */
export class ViewerMessages {
  constructor(private readonly receivers: MessageReceivers) {}

  /** Handles a message. Returns the reason to disconnect the viewer, if there is one. */
  receive(viewer: Viewer, bytes: Buffer, binary: boolean): MessageRefusal | undefined {
    viewer.heard();
    viewer.user.received.heard();
    try {
      // The bytes of a transfer were already counted when the transfer was accepted.
      const { features } = this.receivers;
      const counted =
        binary && features.some((feature) => feature.expectsBytes?.(viewer, bytes)) ? 0 : bytes.length;
      const fits = viewer.user.guard.takes(counted, binary);
      if (!fits || !(binary ? this.#onInput(viewer, bytes) : this.#onControl(viewer, String(bytes))))
        return { reason: 'flooding', message: FLOOD };
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return { reason: 'rejected', message: error.message };
    }
    return undefined;
  }

  /**
   * Performs an input event that has arrived only on the viewer's second connection. Returns false if the
   * user has no control, or if too much of their input waits. The event must then wait until it arrives on
   * the first connection, because an earlier message there may give the user control.
   */
  receiveCopy(viewer: Viewer, event: Exclude<InputEvent, { type: 'ack' }>): boolean {
    viewer.heard();
    const isPerformed = this.receivers.users.roster.controls(viewer.userId) && this.#perform(viewer, event);
    if (isPerformed) viewer.user.received.add(event.seq);
    return isPerformed;
  }

  /** Handles input. Returns false if too much of this viewer's input waits. */
  #onInput(viewer: Viewer, bytes: Buffer): boolean {
    const { features, streams } = this.receivers;
    if (features.some((feature) => feature.takeBytes?.(viewer, bytes))) return true;
    const event = decodeInput(bytes);
    if (event.type === 'ack') {
      streams.acknowledged(viewer, event.stream, event.frame);
      return true;
    }
    if (!viewer.second.takesInput(event.seq)) return true;
    viewer.user.received.add(event.seq);
    return this.#perform(viewer, event);
  }

  /** Performs an input event. Returns false if too much of this viewer's input waits. */
  #perform(viewer: Viewer, event: Exclude<InputEvent, { type: 'ack' }>): boolean {
    const { features, streams, users, listener } = this.receivers;
    // A release is never refused, because keys and buttons must not stay pressed.
    if (event.type !== 'release') {
      for (const feature of features) feature.inputCame?.(viewer, event);
      if (!users.roster.acts(viewer, takesControl(viewer, event))) return true;
      // A move between the press and the release of an agent would change the agent's drag.
      if (event.type === 'move' && users.agents.holdsAny) return true;
      listener.onActivity(viewer, event);
      if (movesAway(event)) users.known.browserChanged(viewer.userId);
      // Input pauses the refinements, which are sharper versions of the picture. Moves of the pointer do not
      // pause them.
      if (event.type !== 'move' && event.type !== 'relative') streams.inputCame();
    }
    const done = () => void (viewer.performedSeq = event.seq);
    for (const feature of features) {
      const performed = feature.perform?.(viewer, event, done);
      if (performed !== undefined) return performed;
    }
    return event.type === 'paste' || viewer.input.handle(event, done);
  }

  /** Handles a control message. Returns false if the viewer has sent too many requests. */
  #onControl(viewer: Viewer, text: string): boolean {
    const { features, users, calls, listener } = this.receivers;
    const message = decodeViewerMessage(text);
    if (!message) return true;
    for (const feature of features) {
      const taken = feature.takeMessage?.(viewer, message);
      if (taken !== undefined) return taken;
    }
    switch (message.type) {
      case 'ping':
        // A user who can only watch does not delay the inactivity timeout.
        if (message.active && viewer.user.token?.scope !== 'view') listener.onActivity();
        viewer.send({ type: 'pong', id: message.id });
        break;
      case 'call':
        void calls.answer(viewer, message);
        break;
      case 'key-frame':
        viewer.askKeyFrame();
        break;
      case 'visible':
        viewer.visible = message.visible;
        if (message.visible) viewer.askKeyFrame();
        users.roster.settle();
        break;
      case 'sound':
        viewer.listens = message.on;
        break;
      default:
    }
    return true;
  }
}

/** True if an event takes control from agents. A move does so only while the user holds a key or a button. */
function takesControl({ input }: Viewer, { type }: InputEvent): boolean {
  return (type !== 'move' && type !== 'relative') || input.holdsAny;
}
