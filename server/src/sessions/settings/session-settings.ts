import type { Role } from 'cloud-browser/protocol';
import type { HostSession } from '../../host-protocol.js';
import type { ProfileUse } from './profile-request.js';
import { SEARCH_ENGINES } from './search-engines.js';

/** When a session ends by itself. Seconds; null: never. */
export interface TimeoutLimits {
  /** Since its creation. */
  absolute: number | null;
  /** Since the last input of a person. */
  inactive: number | null;
  /** Without a connected viewer. */
  offline: number | null;
  /** How long before its end a warning is given. */
  warning: number;
}

/** Parts of a session that the host is told as they are. */
type HostSettings = Omit<
  HostSession,
  'sessionId' | 'adminTokenHash' | 'httpProxy' | 'extension' | 'restoreTabs' | 'keepProfile'
>;

/** What a session is to be like: checked and complete. Kept in its record, so nothing secret is in here. */
export interface SessionSettings extends HostSettings {
  /** Whose usage it is. */
  tenantId: string | null;
  /** Of sessions with the same tag, only one runs at a time. */
  tag: string | null;
  /** No start address was asked for. */
  startUrlUnset: boolean;
  /** Viewers have no control until an admin grants it. */
  controlDisabled: boolean;
  /** What new viewers may do. */
  roles: readonly Role[];
  /** What a viewer may do besides, as long as their control is not disabled. */
  tiedRoles: readonly Role[];
  timeout: TimeoutLimits;
  /** Who decides about viewers: the token in the address, or the customer's own endpoint. */
  auth: 'token' | 'webhook';
  profile: ProfileUse;
}

/** An endpoint of the customer's. */
export interface WebhookTarget {
  /** http or https. */
  url: string;
  /** Proves to the customer that the request is ours. */
  bearer: string;
}

/** What a session needs to know and its record must not: lives in memory alone. */
export interface SessionSecrets {
  httpProxy: HostSession['httpProxy'];
  authWebhook: WebhookTarget | null;
  timeoutWebhook:
    | (Omit<WebhookTarget, 'bearer'> & {
        bearer: string | null;
        /** Tell warnings too. */
        warnings: boolean;
      })
    | null;
  /** The files of an extension, base64 by path. */
  extension: HostSession['extension'];
}

/** Bounds of the frame rate. */
export const FPS_LIMITS = { min: 24, max: 60 } as const;
/** Bounds of every limit of time, in seconds. A year stands for "longer than anybody means". */
export const TIMEOUT_RANGE = { min: 1, max: 31_536_000 } as const;

/** What viewers are allowed when nothing else is asked for. */
export const DEFAULT_ROLES: readonly Role[] = ['chrome_apis', 'resize', 'control'];

/** What a session is like when nothing is asked for. */
export const DEFAULT_SETTINGS: SessionSettings = {
  startUrl: 'about:blank',
  startUrlUnset: true,
  width: 1280,
  height: 720,
  pixelRatio: 1,
  followsRatio: false,
  maxArea: 1280 * 720,
  fps: 24,
  kiosk: false,
  hideCursor: false,
  touchGestures: { swipe: false, pinch: false },
  adblock: false,
  draw: false,
  webgl: false,
  fieldMasking: [],
  dark: false,
  searchEngine: SEARCH_ENGINES.duckduckgo,
  userAgent: 'desktop',
  quality: 'smooth',
  locale: { languages: [], country: null },
  tenantId: null,
  tag: null,
  controlDisabled: false,
  roles: DEFAULT_ROLES,
  tiedRoles: [],
  timeout: { absolute: null, inactive: null, offline: 3600, warning: 60 },
  auth: 'token',
  profile: { load: null, save: null },
};

/** What a session has besides its settings when nothing is asked for. */
export const NO_SECRETS: SessionSecrets = {
  httpProxy: null,
  authWebhook: null,
  timeoutWebhook: null,
  extension: null,
};
