import type { Hello, InputEvent, ViewerMessage } from 'cloud-browser/protocol';
import type { InputDevices } from '../input/input-devices.js';
import type { Viewer } from './viewer.js';

/** The departure of a connection. */
export interface Departure {
  /** True if the user has no other connection. */
  userIsGone: boolean;
  /** True if the user left or was sent away; false if the connection broke and the user may come back. */
  meant: boolean;
}

/**
 * The hooks by which the room informs a feature of the session. All are optional. The room calls the features
 * in the order of their list. It knows no feature otherwise.
 */
export interface RoomFeature {
  /** Called with the devices of a restarted browser, which replace the ones before. */
  useDevices?(devices: InputDevices): void;
  /** Called when a viewer has been welcomed, before it gets a picture. */
  viewerJoined?(viewer: Viewer, hello: Hello): void;
  /** Called when a connection has gone. */
  viewerLeft?(viewer: Viewer, departure: Departure): void;
  /** Called when users have come, have other rights, or their input starts or stops counting. */
  usersChanged?(): void;
  /** Called after every decision whose input counts, and after a change of rights. It must be quick. */
  rightsChanged?(): void;
  /** Called before control is handed to a user. */
  controlIsGiven?(userId: string): void;
  /**
   * Handles a message of a viewer. Returns true if the message was for this feature, false if the viewer has
   * sent too many of them and must go, undefined if the message is not for this feature.
   */
  takeMessage?(viewer: Viewer, message: ViewerMessage): boolean | undefined;
  /** True if a binary message belongs to a transfer whose bytes were counted when it was accepted. */
  expectsBytes?(viewer: Viewer, bytes: Uint8Array): boolean;
  /** Takes a binary message that is not input. Returns true if it did. Throws `ProtocolError`. */
  takeBytes?(viewer: Viewer, bytes: Uint8Array): boolean;
  /** Called with an input event before it is decided whether it counts. */
  inputCame?(viewer: Viewer, event: InputEvent): void;
  /**
   * Carries out an input event in place of the room. Returns true if it did, false if too much input waits,
   * undefined if the event is not for this feature. `done` is to be called when the page has the event.
   */
  perform?(viewer: Viewer, event: InputEvent, done: () => void): boolean | undefined;
  /** Stops all timers: the room closes. */
  roomCloses?(): void;
}
