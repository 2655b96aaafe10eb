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
 * Descriptor of the pipe over which a host receives requests for files. The pipe carries HTTP/2, with one
 * stream per request. It is separate from the pipe of the messages.
 */
export const FILE_CHANNEL = 4;

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
  /** True if the screen takes the pixel ratio of the first viewer that reports one, within `maxArea`. */
  followsRatio: boolean;
  /** Refresh rate of the display. It is also the upper limit of frames a second. An integer from 24 to 60. */
  fps: number;
  /** Upper limit of the screen's area in pixels. At least the area of the first screen. */
  maxArea: number;
  /** Two-finger zoom, and swiping through the history. */
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
  /** Used by the egress process. The service does not send it to the host. */
  httpProxy: HttpProxy | null;
  /** Files of an extension that the service has checked, base64 by path (`manifest.json`, `icons/16.png`). */
  extension: Readonly<Record<string, string>> | null;
  /** Elements that take input only from users with the role `field_masking`. */
  fieldMasking: readonly FieldMask[];
  /** Settings for agents that drive the session. Null if the session has no automation endpoint. */
  automation: AutomationSettings | null;
  /** Settings of the last seconds that the host keeps in memory for recordings. Null if it keeps none. */
  ring: RecordingRing | null;
  /** Maximum seconds of a user's privacy mode. Null if there is no limit. */
  privacyTimeout: number | null;
  /** True if the browser opens the tabs of the loaded profile again instead of the start page. */
  restoreTabs: boolean;
  /** True if the profile is saved after the session. Then the browser gets time to write it. */
  keepProfile: boolean;
}

/** Proxy by which the browser reaches the network. */
export interface HttpProxy {
  /** Address of a proxy auto-configuration script (http, https or data), or the script itself. */
  pac: string;
  username?: string;
  password?: string;
}

/** A bookmark, or a folder of them if it has `children`. */
export interface Bookmark {
  title: string;
  url?: string;
  children?: readonly Bookmark[];
}

/**
 * Directories and ids with which a host isolates itself. They are fixed when its process starts, before it
 * knows its session.
 */
export interface HostPlace {
  /** Directory for this host alone, already owned by `uid`. Its creator removes it. */
  directory: string;
  /** Directory with the built-in browser extensions that all sessions share, readable by `uid`. */
  extensions: string;
  /** Unprivileged ids, which the process switches to first. Absent if the service itself is unprivileged. */
  uid?: number;
  gid?: number;
}

/**
 * Expected screen of the session for which a host is started. Its display has that size and refresh rate from
 * the beginning.
 */
export type ExpectedScreen = Pick<HostSession, 'width' | 'height' | 'pixelRatio' | 'fps' | 'quality'>;

/** All scopes of a token. */
export const TOKEN_SCOPES = ['view', 'control', 'automation', 'admin'] as const;

/**
 * Upper bound for the use of a token.
 *
 * - `view`: to watch the session
 * - `control`: to watch and use it, as a viewer
 * - `automation`: to drive it, as a program
 * - `admin`: to manage it, as the session's own admin token does
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
  /** True if the token determines the id of its user. False if each connection is another user. */
  fixesUser: boolean;
}

/** A user that the service has admitted. The handle of the IPC message is the user's socket. */
export interface ViewerHandover {
  /** Id of this connection's user, unless the client reconnects as an earlier user. */
  userId: string;
  /** The upgrade request, with which the host finishes the WebSocket handshake. */
  request: { method: string; url: string; headers: Record<string, string | string[] | undefined> };
  /** Bytes that arrived after the request, base64. */
  head: string;
  /** Address of the client, as the service sees it. */
  ip: string;
  /** `ask`: nothing may be shown before the service has answered `authorize`. */
  auth: 'granted' | 'ask';
  /** Initial rights of the user. */
  controlDisabled: boolean;
  roles: readonly Role[];
  /** Additional roles while the user's control is not disabled. */
  tiedRoles: readonly Role[];
  /** Absent for the session's own token, and for a user that the customer's endpoint decides about. */
  token?: AdmittedBy;
}

/** A program that calls methods of the session through the service. It is an agent of the session. */
export interface CallingAgent {
  /** Id of the token that the program uses. Absent for the admin token or an API key. */
  tokenId?: string;
  /** Id of its user. Default: a random id. */
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

/** A user that asks for admission. */
export interface AuthorizationRequest {
  /** Number that the host chose. The answer contains it. */
  request: number;
  userId: string;
  /** Data that the client sent. An empty object if it sent none. */
  userdata: Userdata;
  ip: string;
  userAgent: string;
}

/** Answer to an {@link AuthorizationRequest}. */
export type AuthorizationAnswer =
  | { granted: true; /** Replaces the defaults key by key. */ permissions: Partial<Permissions> }
  | { granted: false; /** A sentence for the user who is refused. */ message: string };

/** Messages from the service to a host. */
export type ToHost =
  /**
   * Requests that the host starts a browser in advance with the settings of this session. The browser waits
   * for a session with the same launch key. Sent before `start`. The answer is `prepared` or `unprepared`.
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
  /** Warning for all viewers, also later ones. `delay`: milliseconds from now; null: the warning is over. */
  | { type: 'closeWarning'; kind: CloseKind; delay: number | null }
  /**
   * The session's network was started again, or a part of the session was stopped and continues. The host
   * informs the viewers.
   */
  | { type: 'interrupted'; what: 'network' | 'part' }
  /**
   * A token has ended. The host ends the connections that it admitted, also those that are still arriving.
   */
  | { type: 'revoke'; tokenId: string; reason: TokenEnd }
  /** An admin token was issued. Calls of viewers with it count as those of an admin, until its `revoke`. */
  | { type: 'admitAdmin'; tokenId: string; /** SHA-256, base64url. */ hash: string }
  /** Appends to the browser's bookmarks. */
  | { type: 'bookmarks'; items: readonly Bookmark[] }
  /**
   * Answer to `freezer`. `file`: the file of the control group with all programs of the session, to which the
   * host writes 1 to freeze them and 0 to continue them. Null if there is no such group.
   */
  | { type: 'freezer'; file: string | null }
  /** Calls a method of the session for a backend that has its admin token. The answer is `called`. */
  | {
      type: 'call';
      call: number;
      method: SessionMethod;
      args: readonly unknown[];
      /** Program on whose behalf the service calls. Absent for the holder of the admin token itself. */
      program?: CallingAgent;
    }
  | RecordingMessage
  /** Answered by `pong`. A host that does not answer is killed. */
  | { type: 'ping' }
  | { type: 'stop'; reason: ServerDisconnectReason };

/** Messages about recordings, from the service to a host. `number` is that of the recording's order. */
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
   * The browser could not be started, or has ended. If a session still follows, the host starts another
   * browser.
   */
  | { type: 'unprepared'; /** A sentence for the log. */ message: string }
  /** The session's own network is ready. The handle of the message is its listening socket. */
  | { type: 'network' }
  /** The session is open: its browser runs, and viewers can join. */
  | { type: 'started'; /** Milliseconds from `start` to each step. */ timings: Record<string, number> }
  /** Number of connected viewers. */
  | { type: 'viewers'; count: number }
  /**
   * The connection of a `viewer` message has become a viewer or was closed. The host sends the new `viewers`
   * count first.
   */
  | { type: 'arrived'; userId: string }
  /** Reports if the session uses the processor without a pause. */
  | { type: 'busy'; busy: boolean }
  /** A person has used the browser. Sent at most four times a second. */
  | { type: 'activity' }
  /** A hand-off has begun or ended. */
  | { type: 'handoff'; state: HandoffState }
  /** Agents have joined, left or sent commands. Sent at most every 5 seconds, after the first reports. */
  | { type: 'agentUse'; use: AgentUse }
  /** Requests that all programs of the session are moved to a control group that the host can freeze. */
  | { type: 'freezer' }
  /** The programs of the session were frozen, or continue. */
  | { type: 'standby'; standby: boolean }
  /** Result of a `call`. */
  | { type: 'called'; call: number; result?: unknown; error?: CallFailure }
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
