import type { Hello, InputEvent, ViewerMessage } from 'cloud-browser/protocol';
import type { InputDevices } from '../input/input-devices.js';
import type { Viewer } from './viewers/viewer.js';

/** The departure of a connection. */
export interface Departure {
  /** True if the user has no other connection. */
  userIsGone: boolean;
  /** True if the user left or was sent away. False if the connection broke and the user may come back. */
  meant: boolean;
}

/**
 * Hooks through which the room informs a feature of the session. All are optional. The room calls the
 * features in the order of their list. The room depends on no particular feature.
 */
export interface RoomFeature {
  /** Called with the devices of a restarted browser, which replace the earlier ones. */
  useDevices?(devices: InputDevices): void;
  /** Called when a viewer has been welcomed, before it gets a picture. */
  viewerJoined?(viewer: Viewer, hello: Hello): void;
  /** Called when a connection has gone. */
  viewerLeft?(viewer: Viewer, departure: Departure): void;
  /** Called when users have joined, when rights have changed, or when users get or lose control. */
  usersChanged?(): void;
  /** Called after every decision about control, and after a change of rights. It must be fast. */
  rightsChanged?(): void;
  /** Called before control is handed to a user. */
  controlIsGiven?(userId: string): void;
  /**
   * Handles a message of a viewer. Returns true if the message was for this feature, and undefined if not.
   * Returns false if the viewer has sent too many such messages and must be disconnected.
   */
  takeMessage?(viewer: Viewer, message: ViewerMessage): boolean | undefined;
  /**
   * True if a binary message belongs to an accepted transfer. The bytes of the transfer were counted when it
   * was accepted.
   */
  expectsBytes?(viewer: Viewer, bytes: Uint8Array): boolean;
  /**
   * Takes a binary message that is not input. Returns true if the message was for this feature. Throws
   * `ProtocolError`.
   */
  takeBytes?(viewer: Viewer, bytes: Uint8Array): boolean;
  /** Called with an input event before the room accepts or refuses it. */
  inputCame?(viewer: Viewer, event: InputEvent): void;
  /**
   * Performs an input event instead of the room. Returns true if the feature takes the event, false if too
   * much input waits, and undefined if the event is not for this feature. The feature calls `done` when the
   * page has received the event.
   */
  perform?(viewer: Viewer, event: InputEvent, done: () => void): boolean | undefined;
  /** Stops all timers, because the room closes. */
  roomCloses?(): void;
}
