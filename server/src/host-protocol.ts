import type {
  CallFailure,
  HandoffState,
  Permissions,
  Role,
  ServerDisconnectReason,
  SessionMethod,
  Userdata,
} from 'cloud-browser/protocol';
import type { BrowserFlags } from './create-fields/index.js';
import type { AutomationSettings } from './create-fields/values/automation-request.js';
import type { FieldMask } from './create-fields/values/field-masking.js';
import type { SearchEngine } from './create-fields/values/search-engines.js';
import type { RecordingEnd, RecordingOrder, RecordingRing } from './recording-protocol.js';
import type { SessionLimits } from './platform/session-limits.js';

export type { FieldMask, SearchEngine };

/**
 * Descriptor of the pipe over which a session host (the process of one session) receives requests for files.
 * The pipe carries HTTP/2, with one stream per request. The messages of this file use another pipe.
 */
export const FILE_CHANNEL = 4;

/** Error message of a call whose client has gone before the call began. No client receives it. */
export const CLIENT_GONE = 'The client has closed its connection.';

/**
 * Settings of one session for its host. All fields are checked and complete: the host has no defaults of its
 * own.
 */
export interface HostSession extends BrowserFlags {
  sessionId: string;
  /**
   * SHA-256 of the session's admin token, base64url. The host can recognize the token, but cannot reveal it.
   */
  adminTokenHash: string;
  /** An http, https or about: address. */
  startUrl: string;
  /** Size of the remote screen in CSS pixels, even or odd. */
  width: number;
  height: number;
  /** Pixels of the remote screen for one CSS pixel, 1 to 3. */
  pixelRatio: number;
  /**
   * True if the first viewer that reports a pixel ratio determines the ratio of the screen, up to `maxArea`.
   */
  followsRatio: boolean;
  /** Refresh rate of the display. It is also the upper limit of frames a second. An integer from 24 to 60. */
  fps: number;
  /** Upper limit of the screen's area in pixels. At least the area of the first screen. */
  maxArea: number;
  /**
   * Touch gestures of the browser. `swipe`: a swipe goes back or forward. `pinch`: two fingers zoom the page.
   */
  touchGestures: { swipe: boolean; pinch: boolean };
  searchEngine: SearchEngine;
  userAgent: 'desktop' | 'chrome_android';
  quality: 'sharp' | 'smooth' | 'blocky';
  locale: {
    /** BCP 47 tags, best first. If empty, the browser uses its own languages. */
    languages: readonly string[];
    /** ISO 3166 alpha-2. */
    country: string | null;
  };
  /**
   * Proxy through which the egress process connects for this session. The service does not send it to the
   * host.
   */
  httpProxy: HttpProxy | null;
  /** Files of an extension that the service has checked, base64 by path (`manifest.json`, `icons/16.png`). */
  extension: Readonly<Record<string, string>> | null;
  /** Elements that take input only from users with the role `field_masking`. */
  fieldMasking: readonly FieldMask[];
  /** Settings for agents that drive the session. Null if the session has no automation endpoint. */
  automation: AutomationSettings | null;
  /**
   * Settings of the ring: a buffer in the host's memory with the last seconds of the session, for recordings.
   * Null if the session has no ring.
   */
  ring: RecordingRing | null;
  /** Maximum seconds of a user's privacy mode. Null if there is no limit. */
  privacyTimeout: number | null;
  /** True if the browser opens the tabs of the loaded profile again instead of the start page. */
  restoreTabs: boolean;
  /**
   * True if the profile is saved after the session. Then the host gives the browser time to write the
   * profile.
   */
  keepProfile: boolean;
}

/** Proxy by which the browser reaches the network. */
export interface HttpProxy {
  /** Address of a proxy auto-configuration script (http, https or data), or the script itself. */
  pac: string;
  username?: string;
  password?: string;
}

/** A bookmark. With `children`, a folder of bookmarks. */
export interface Bookmark {
  title: string;
  url?: string;
  children?: readonly Bookmark[];
}

/**
 * Directories and ids with which a host isolates itself. They are fixed when the process of the host starts,
 * before the host knows its session.
 */
export interface HostPlace {
  /** Directory for this host alone. It belongs to `uid`. The service creates and removes it. */
  directory: string;
  /** Directory with the built-in browser extensions that all sessions share, readable by `uid`. */
  extensions: string;
  /** Unprivileged ids, which the process switches to first. Absent if the service itself is unprivileged. */
  uid?: number;
  gid?: number;
}

/**
 * Screen that the session of a host is expected to have. The host starts its display with this size and
 * refresh rate before it knows the session.
 */
export type ExpectedScreen = Pick<HostSession, 'width' | 'height' | 'pixelRatio' | 'fps' | 'quality'>;

/** All scopes of a token. */
export const TOKEN_SCOPES = ['view', 'control', 'automation', 'admin'] as const;

/**
 * Scope of a token: the most that its holder may do with the session.
 *
 * - `view`: watch the session
 * - `control`: watch and use the session as a viewer
 * - `automation`: drive the session as a program
 * - `admin`: manage the session, like the session's own admin token
 */
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** Roles that a token of the scope `view` can give. */
export const VIEW_ROLES = ['cursor_data'] as const satisfies readonly Role[];

/** Reason for the end of a token. */
export type TokenEnd = Extract<ServerDisconnectReason, 'token_expired' | 'token_revoked'>;

/** Token that admitted a client to a session. */
export interface AdmittedBy {
  tokenId: string;
  scope: TokenScope;
  /** Name of the client's user. */
  name?: string | undefined;
  /** True if the token determines the id of its user. False if each client gets a user of its own. */
  fixesUser: boolean;
}

/** A user that the service has admitted. The handle of the IPC message is the user's socket. */
export interface ViewerHandover {
  /**
   * Id for the user of this connection. If the client reconnects as an earlier user, the host uses that
   * user's id instead.
   */
  userId: string;
  /** The upgrade request, with which the host finishes the WebSocket handshake. */
  request: { method: string; url: string; headers: Record<string, string | string[] | undefined> };
  /** Bytes that arrived after the request, base64. */
  head: string;
  /** Address of the client, as the service sees it. */
  ip: string;
  /**
   * `granted`: the user is admitted. `ask`: the host shows nothing to the user until the service has answered
   * `authorize`.
   */
  auth: 'granted' | 'ask';
  /** Initial rights of the user. */
  controlDisabled: boolean;
  roles: readonly Role[];
  /** Additional roles that the user has only while this user may control the session. */
  tiedRoles: readonly Role[];
  /**
   * Token that admitted the user. Absent if the session's own token admitted the user, or if the customer's
   * endpoint decides about the user.
   */
  token?: AdmittedBy;
}

/** Program that calls methods of the session through the service. The session counts it as an agent. */
export interface CallingAgent {
  /** True for a token of the scope `automation`. Then the call needs the roles of the program. */
  automates?: true;
  /** Id of the token that the program uses. Absent for the admin token or an API key. */
  tokenId?: string;
  /** Id of the program's user. Default: a random id. */
  userId?: string;
  /** Name that viewers see. Default: the name in the session's settings. */
  name?: string;
  /** Default: the roles in the session's settings. */
  roles?: readonly Role[];
}

/** A program that may drive the session. The handle of the IPC message is its socket. */
export interface AutomationHandover {
  /** Id of this connection's user. */
  userId: string;
  /** The upgrade request, with which the host finishes the WebSocket handshake. */
  request: ViewerHandover['request'];
  /** Bytes that arrived after the request, base64. */
  head: string;
  /** Address of the client, as the service sees it. */
  ip: string;
  /** Roles of the client's user. If absent, the roles in the session's settings apply. */
  roles?: readonly Role[];
  /** Name of the client's user. If absent, the name in the session's settings is used. */
  name?: string;
  /** Id of the token that admitted the client. Absent for the tokens that the session has from its start. */
  tokenId?: string;
}

/** Kind of a session's time limit. */
export type TimeoutKind = 'absolute' | 'inactive' | 'offline';

/** Reason why a session is about to end: a time limit runs out, or the service stops. */
export type CloseKind = TimeoutKind | 'shutdown';

/** A user that requests admission to a session. */
export interface AuthorizationRequest {
  /** Number that the host chose. The answer contains this number. */
  request: number;
  userId: string;
  /** Data that the client sent. An empty object if it sent none. */
  userdata: Userdata;
  ip: string;
  userAgent: string;
}

/** Answer to an {@link AuthorizationRequest}. */
export type AuthorizationAnswer =
  | { granted: true; /** A missing key keeps its default. */ permissions: Partial<Permissions> }
  | { granted: false; /** A sentence for the user who is refused. */ message: string };

/** Messages from the service to a host. */
export type ToHost =
  /**
   * Requests that the host starts a browser in advance, before it receives `start`. The browser gets the
   * settings of this session, and then waits for a session with the same launch key (see `launchKey`). The
   * answer is `prepared` or `unprepared`.
   */
  | { type: 'prepare'; session: HostSession; limits: SessionLimits }
  | {
      type: 'start';
      session: HostSession;
      limits: SessionLimits;
      /**
       * True if the service gives a `busy` session a smaller share of the processor. Otherwise the host slows
       * itself down.
       */
      sharesProcessor: boolean;
    }
  | { type: 'viewer'; viewer: ViewerHandover }
  | { type: 'automation'; client: AutomationHandover }
  | { type: 'authorized'; request: number; answer: AuthorizationAnswer }
  /**
   * Warns all viewers, also those that join later, that the session is about to end. `delay`: milliseconds
   * from now until the end. Null withdraws the warning.
   */
  | { type: 'closeWarning'; kind: CloseKind; delay: number | null }
  /**
   * The session was interrupted. `network`: the egress process was started again. `part`: a process that the
   * session needs was stopped by a signal and continues. The host informs the viewers.
   */
  | { type: 'interrupted'; what: 'network' | 'part' }
  /**
   * A token has ended. The host ends the connections that the token admitted, also those that are still
   * arriving.
   */
  | { type: 'revoke'; tokenId: string; reason: TokenEnd }
  /**
   * An admin token was issued. Until its `revoke`, calls that viewers make with this token count as calls of
   * an admin.
   */
  | { type: 'admitAdmin'; tokenId: string; /** SHA-256, base64url. */ hash: string }
  /** Appends to the browser's bookmarks. */
  | { type: 'bookmarks'; items: readonly Bookmark[] }
  /**
   * Answer to the host's `freezer`. `file` belongs to the control group that contains all programs of the
   * session. The host writes 1 to this file to freeze the programs, and 0 to continue them. Null if there is
   * no such group.
   */
  | { type: 'freezer'; file: string | null }
  /**
   * Calls a method of the session, for the holder of its admin token or for a program. The answer is
   * `called`.
   */
  | {
      type: 'call';
      call: number;
      method: SessionMethod;
      args: readonly unknown[];
      /** Program for which the service calls. Absent if the caller acts as the session's admin. */
      program?: CallingAgent;
    }
  /** The client of a `call` has gone. If the call waits for its turn or for control, the host refuses it. */
  | { type: 'abandon'; call: number }
  | RecordingMessage
  /**
   * Checks that the host works. The host answers with `pong`. The service kills a host that does not answer.
   */
  | { type: 'ping' }
  | { type: 'stop'; reason: ServerDisconnectReason };

/**
 * Messages about recordings, from the service to a host. `number` identifies the recording, see
 * {@link RecordingOrder}.
 */
export type RecordingMessage =
  | { type: 'record'; order: RecordingOrder }
  | { type: 'endRecording'; number: number; reason: RecordingEnd }
  | { type: 'marker'; number: number; name: string }
  /** Makes the next picture a key frame. */
  | { type: 'recordedKeyFrame'; number: number };

/** Current number of agents of a session, and counts of their actions since the last report. */
export interface AgentUse {
  agents: number;
  /** Agents that have joined. */
  joined: number;
  /** Commands by class, such as `input`. */
  commands: Readonly<Record<string, number>>;
  /** Commands that were refused. */
  refusals: number;
}

/** Messages from a host to the service. */
export type FromHost =
  /** The process is isolated and accepts `start`. */
  | { type: 'ready' }
  | { type: 'pong' }
  /** The browser that `prepare` requested waits for its session. */
  | { type: 'prepared' }
  /**
   * The browser that `prepare` requested could not be started, or has ended. If `start` follows, the host
   * starts another browser.
   */
  | { type: 'unprepared'; /** A sentence for the log. */ message: string }
  /**
   * The session's own network is ready. The handle of the message is the socket in this network that listens
   * for connections of the browser.
   */
  | { type: 'network' }
  /** The session is open: its browser runs, and viewers can join. */
  | { type: 'started'; /** Milliseconds from `start` to each step. */ timings: Record<string, number> }
  /** Number of connected viewers. */
  | { type: 'viewers'; count: number }
  /**
   * A connection that the host received in a `viewer` message has become a viewer or was closed. The host
   * sends the new `viewers` count first.
   */
  | { type: 'arrived'; userId: string }
  /** Reports if the session uses the processor without a pause. */
  | { type: 'busy'; busy: boolean }
  /** A person has used the browser. Sent at most four times a second. */
  | { type: 'activity' }
  /** A hand-off has begun or ended. */
  | { type: 'handoff'; state: HandoffState }
  /**
   * Agents have joined, left or sent commands. The host sends the first two reports without delay, and then
   * at most one every 5 seconds.
   */
  | { type: 'agentUse'; use: AgentUse }
  /** Requests that all programs of the session are moved to a control group that the host can freeze. */
  | { type: 'freezer' }
  /** The programs of the session were frozen, or continue. */
  | { type: 'standby'; standby: boolean }
  /** Result of a `call`. */
  | {
      type: 'called';
      call: number;
      result?: unknown;
      error?: CallFailure | { code: 'err_session_terminated'; message: string };
    }
  | ({ type: 'authorize' } & AuthorizationRequest)
  /**
   * Last message: the session is over, and all its processes are gone. `message`: a sentence for the log and
   * the API.
   */
  | { type: 'ended'; reason: ServerDisconnectReason; message: string }
  | {
      type: 'log';
      level: 'debug' | 'info' | 'warn' | 'error';
      message: string;
      fields?: Record<string, unknown>;
    };
