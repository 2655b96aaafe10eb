import type {
  CallFailure,
  Permissions,
  Role,
  ServerDisconnectReason,
  SessionMethod,
  Userdata,
} from 'cloud-browser/protocol';
import type { SessionLimits } from './platform/session-limits.js';

/** The descriptor, in a host, of the pipe that requests for files come over: HTTP/2, each a stream. Beside that of the messages. */
export const FILE_CHANNEL = 4;

/** What one session asks of its host. Everything is checked and complete: the host has no defaults of its own. */
export interface HostSession {
  sessionId: string;
  /** SHA-256 of the session's admin token, base64url: the host recognises the token and cannot give it away. */
  adminTokenHash: string;
  /** An http, https or about: address. */
  startUrl: string;
  /** Size of the remote screen in CSS pixels, any parity. */
  width: number;
  height: number;
  /** Pixels of the remote screen for one CSS pixel, 1 to 3. */
  pixelRatio: number;
  /** The ratio becomes that of the first viewer who tells one, as far as `maxArea` has room for it. */
  followsRatio: boolean;
  /** Refresh rate of the display, hence the upper limit of frames a second; an integer from 24 to 60. */
  fps: number;
  /** No browser UI: the page fills the screen. */
  kiosk: boolean;
  /** Never show the system pointer. */
  hideCursor: boolean;
  /** Upper bound of the screen's own pixels, both sides multiplied; at least those that it begins with. */
  maxArea: number;
  /** Two-finger zoom, and swiping through the history. */
  touchGestures: { swipe: boolean; pinch: boolean };
  /** Block advertisements and trackers. */
  adblock: boolean;
  /** The annotation tools. */
  draw: boolean;
  webgl: boolean;
  /** Prefer dark pages, and a dark browser around them. */
  dark: boolean;
  searchEngine: SearchEngine;
  userAgent: 'desktop' | 'chrome_android';
  quality: 'sharp' | 'smooth' | 'blocky';
  locale: {
    /** BCP 47 tags, best first; empty for the browser's own. */
    languages: readonly string[];
    /** ISO 3166 alpha-2. */
    country: string | null;
  };
  /** Carried out by the egress process; its credentials are not told to the host. */
  httpProxy: HttpProxy | null;
  /** The files of an extension that the service has examined, base64 by path (`manifest.json`, `icons/16.png`). */
  extension: Readonly<Record<string, string>> | null;
  /** Elements that take input only from users with the role `field_masking`. */
  fieldMasking: readonly FieldMask[];
  /** Open the tabs of the loaded profile again instead of the start page. */
  restoreTabs: boolean;
  /** What the browser keeps is wanted after the session: it is given time to write it. */
  keepProfile: boolean;
}

/** Elements that are masked on some pages. */
export interface FieldMask {
  /** Globs of the addresses of these pages; see `urlPattern`. */
  matches: readonly string[];
  /** CSS selectors. What is inside of what they find is masked as well. */
  selectors: readonly string[];
}

/** Where the address bar searches. Addresses hold the placeholder `{searchTerms}`. */
export interface SearchEngine {
  name: string;
  /** What is typed in the address bar to search with it. */
  keyword: string;
  url: string;
  suggestionsUrl?: string;
}

/** How the browser reaches the network. */
export interface HttpProxy {
  /** The address of a proxy auto-configuration script (http, https or data), or the script itself. */
  pac: string;
  username?: string;
  password?: string;
}

/** A bookmark, or a folder of them when it has `children`. */
export interface Bookmark {
  title: string;
  url?: string;
  children?: readonly Bookmark[];
}

/** How a host isolates itself; fixed when its process starts, before it knows which session it will serve. */
export interface HostPlace {
  /** A directory for this host alone, already owned by `uid`. It is removed by whoever made it. */
  directory: string;
  /** A directory with the built-in browser extensions that all sessions share, readable by `uid`. */
  extensions: string;
  /** Unprivileged ids to become before anything else; absent when the service itself is unprivileged. */
  uid?: number;
  gid?: number;
}

/** What is known of the screen of the session that a host is started for: its display has that size and refresh rate from the beginning. */
export type ExpectedScreen = Pick<HostSession, 'width' | 'height' | 'pixelRatio' | 'fps' | 'quality'>;

/** A user whom the service let in; the socket follows as the IPC message's handle. */
export interface ViewerHandover {
  /** Identifier of this connection's user, unless the client resumes an earlier one. */
  userId: string;
  /** The upgrade request, so that the host can finish the WebSocket handshake. */
  request: { method: string; url: string; headers: Record<string, string | string[] | undefined> };
  /** Bytes that arrived behind the request, base64. */
  head: string;
  /** The client's address as the service sees it. */
  ip: string;
  /** `ask`: nothing may be shown before the service has answered `authorize`. */
  auth: 'granted' | 'ask';
  /** What the user may do at first. */
  controlDisabled: boolean;
  roles: readonly Role[];
  /** Roles that count besides, as long as the user's control is not disabled. */
  tiedRoles: readonly Role[];
}

/** Which limit of a session runs out. */
export type TimeoutKind = 'absolute' | 'inactive' | 'offline';

/** Why a session is about to end: a limit runs out, or the service is being stopped. */
export type CloseKind = TimeoutKind | 'shutdown';

/** A user who asks to be let in. */
export interface AuthorizationRequest {
  /** Given by the host; comes back with the answer. */
  request: number;
  userId: string;
  /** What the client passed along; an empty object when it passed nothing. */
  userdata: Userdata;
  ip: string;
  userAgent: string;
}

/** The answer to an {@link AuthorizationRequest}. */
export type AuthorizationAnswer =
  | { granted: true; /** Replaces the defaults key by key. */ permissions: Partial<Permissions> }
  | { granted: false; /** A sentence for the person who is refused. */ message: string };

/** Service to host. */
export type ToHost =
  /** Start a browser for nobody yet, as for this session, and hold it ready for one of the same launch key. Before `start`; answered by `prepared`, or `unprepared`. */
  | { type: 'prepare'; session: HostSession; limits: SessionLimits }
  | {
      type: 'start';
      session: HostSession;
      limits: SessionLimits;
      /** The service gives a session that is `busy` less of the processor; otherwise the host does what it can. */
      sharesProcessor: boolean;
    }
  | { type: 'viewer'; viewer: ViewerHandover }
  | { type: 'authorized'; request: number; answer: AuthorizationAnswer }
  /** To be shown by all viewers, later ones too. `delay`: milliseconds from now; null: the warning is over. */
  | { type: 'closeWarning'; kind: CloseKind; delay: number | null }
  /** Append to the browser's bookmarks. */
  | { type: 'bookmarks'; items: readonly Bookmark[] }
  /** Perform a method of the session for a backend that holds its admin token; answered by `called`. */
  | { type: 'call'; call: number; method: SessionMethod; args: readonly unknown[] }
  /** Answered by `pong`: a host that does not is ended. */
  | { type: 'ping' }
  | { type: 'stop'; reason: ServerDisconnectReason };

/** Host to service. */
export type FromHost =
  /** The process is isolated and can take `start`. */
  | { type: 'ready' }
  | { type: 'pong' }
  /** The browser that was asked for by `prepare` waits for its session. */
  | { type: 'prepared' }
  /** There is none, or not any more. A session that comes all the same has one started for it. */
  | { type: 'unprepared'; /** A sentence for the log. */ message: string }
  /** The session's own network is there; its listening socket comes as the message's handle. */
  | { type: 'network' }
  /** The browser shows its start page. */
  | { type: 'started'; /** Milliseconds from `start` to each step. */ timings: Record<string, number> }
  /** How many viewers are connected now. */
  | { type: 'viewers'; count: number }
  /** The connection of a `viewer` message has become a viewer, told by `viewers` before, or is over. */
  | { type: 'arrived'; userId: string }
  /** The session computes without a pause, or does not any more. */
  | { type: 'busy'; busy: boolean }
  /** A person did something; sent at most four times a second. */
  | { type: 'activity' }
  /** The outcome of a `call`. */
  | { type: 'called'; call: number; result?: unknown; error?: CallFailure }
  | ({ type: 'authorize' } & AuthorizationRequest)
  /** The last message: the session is over and everything it ran is gone. `message`: a sentence for the log and the API. */
  | { type: 'ended'; reason: ServerDisconnectReason; message: string }
  | {
      type: 'log';
      level: 'debug' | 'info' | 'warn' | 'error';
      message: string;
      fields?: Record<string, unknown>;
    };
