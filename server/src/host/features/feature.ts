import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HandoffState, InputEvent } from 'cloud-browser/protocol';
import type { AutomationHandover, HostSession, RecordingMessage } from '../../host-protocol.js';
import type { Clock } from '../../platform/time/clock.js';
import type { ScreenShape } from '../../platform/screen-size.js';
import type { SessionLimits } from '../../platform/session-limits.js';
import type { AccessibilityWatch } from '../browser/accessibility/accessibility-watch.js';
import type { CdpConnection } from '../browser/cdp/cdp-connection.js';
import type { CdpSession } from '../browser/cdp/cdp-session.js';
import type { BrowserFiles } from '../browser/files/browser-files.js';
import type { ClickedElements } from '../browser/pages/clicked-elements.js';
import type { Bridge } from '../browser/bridge/bridge.js';
import type { TabListener } from '../browser/pages/tab-watch.js';
import type { Rect } from '../capture/frame-source.js';
import type { ScreenCamera } from '../capture/screen-camera.js';
import type { ScreenSource } from '../capture/screen-source.js';
import type { AccessibilityActions } from '../input/accessibility-actions.js';
import type { InputDevices } from '../input/input-devices.js';
import type { Calls } from '../room/calls/calls.js';
import type { EndedTokens } from '../room/ended-tokens.js';
import type { RoomFeature } from '../room/feature.js';
import type { SessionUsers } from '../room/users/session-users.js';
import type { Viewer } from '../room/viewers/viewer.js';
import type { StreamHub } from '../stream/stream-hub.js';

/** Connection to the service over which recordings are sent. */
export interface RecordingOutput {
  write(message: Uint8Array, done?: () => void): unknown;
  /** Number of bytes that are not sent yet. */
  readonly writableLength: number;
}

/** A browser that features may use, until it ends. Each feature declares the part that it needs. */
export interface FeatureBrowser {
  accessibility: AccessibilityWatch;
  accessibilityActions: AccessibilityActions;
  bridge: Bridge;
  readonly clickedElements: Pick<ClickedElements, 'elementAt' | 'placeOf' | 'prepare'>;
  cdp: CdpConnection;
  devices: InputDevices;
  files: BrowserFiles;
  /** Resolves when the browser has ended. */
  gone: Promise<unknown>;
  /**
   * Drops files at a place of the screen. Resolves to the page at that place, or to undefined if no page
   * accepted the files.
   */
  drop(at: { x: number; y: number }, paths: readonly string[]): Promise<CdpSession | undefined>;
  /** Ends the process of a page. */
  endRenderer(renderer: number): void;
  /**
   * Returns the places of masked fields, and with `passwords` also the places of password fields. Resolves to
   * `unknown` if a page does not answer.
   */
  maskedAreas(options?: { passwords: boolean }): Promise<Rect[] | 'unknown'>;
  openCamera(): Promise<ScreenCamera>;
  /** Opens another connection to the display. The caller must close it. */
  openScreen(): Promise<ScreenSource>;
  /**
   * Prints a page to a PDF and returns its parts. For a frame, prints the page around it. Resolves to
   * undefined if the page is gone.
   */
  print(page: CdpSession): Promise<{ title: string; parts: AsyncIterable<Buffer> } | undefined>;
  /** Sends events of tabs to the listener from now on. Returns a function that sends all open tabs again. */
  watchTabs(listener: TabListener): () => void;
}

/**
 * A feature of a session. It is created before the first viewer joins, and is kept when the browser restarts.
 */
export interface Feature extends RoomFeature {
  /** Called each time a browser has started: the first browser, and each one after a restart. */
  browserStarted?(browser: FeatureBrowser): void;
  /** Called when the browser has ended. Another browser may start later. */
  browserIsGone?(): void;
  /**
   * Called with each accepted input event of a user. Also called with each mouse press that the session
   * makes for a user's action on the accessibility tree.
   */
  userActed?(viewer: Viewer, event: InputEvent): void;
  /** Serves the requests for files that the service sends over this channel. */
  serveFiles?(channel: Duplex): void;
  /** Takes over the connection of a program that the service has admitted. */
  takeProgram?(client: AutomationHandover, socket: Socket): void;
  /**
   * True while the feature uses the browser, even if no viewer is connected. The host does not freeze the
   * session then.
   */
  readonly busy?: boolean;
  /** True if the feature needs sound now, even if no viewer needs it. */
  readonly listens?: boolean;
  /** Receives an encoded packet of sound. */
  soundCame?(packet: Uint8Array): void;
  /** Carries out a message of the service about a recording. */
  takeRecordingMessage?(message: RecordingMessage): void;
  /** Ends the feature. Resolves when all its resources are released. */
  stop?(): Promise<void> | void;
}

/** Everything that a feature may use of its session. */
export interface FeatureParts {
  session: HostSession;
  /** The session's own directory. */
  place: string;
  limits: Pick<SessionLimits, 'fileBytes' | 'filesBytes'>;
  clock: Clock;
  /** Registers the methods and events of a feature. */
  calls: Calls;
  users: SessionUsers;
  /**
   * Tokens that have ended. A feature that accepts connections must close the connections of an ended token.
   */
  endedTokens: EndedTokens;
  /** Input devices of the first browser. A restarted browser has other devices. */
  devices: InputDevices;
  streams: Pick<StreamHub, 'size' | 'restart'>;
  /** The video streams, for a feature that receives frames like a viewer. */
  frames: Pick<StreamHub, 'add' | 'remove' | 'acknowledged' | 'requestKeyFrame' | 'refresh'>;
  /** Opens the connection to the service over which recordings are sent. */
  openRecordingChannel: () => RecordingOutput;
  /**
   * Changes the shape of the screen: its size and pixel ratio. Call it again only after the promise has
   * settled.
   */
  changeScreen: (shape: ScreenShape) => Promise<void>;
  /** Sends the whole picture and the pointer's shape to a viewer whose view was hidden. */
  reveal: (viewer: Viewer) => void;
  /**
   * Reports that a hand-off has begun or ended. A hand-off is an agent's request for the help of a person.
   */
  onHandoff: (state: HandoffState) => void;
  /** Writes a line into the log of the service. */
  log: (level: 'info' | 'warn', message: string, fields: Record<string, unknown>) => void;
  /** Records that a user uses the session. */
  onActivity: () => void;
  /** Records that a user acted. Calls {@link Feature.userActed} if there is an event. */
  onAct: (viewer: Viewer, event?: InputEvent) => void;
}

/** Makes a feature of a session, and registers its methods and events. */
export type MakeFeature = (parts: FeatureParts) => Feature;
