import type { Role } from 'cloud-browser/protocol';
import type { HostSession } from '../../host-protocol.js';
import type { ProfileUse } from './profile-request.js';
import { SEARCH_ENGINES } from './search-engines.js';

/** Time limits of a session, in seconds. Null: none. */
export interface TimeoutLimits {
  /** Since its creation. */
  absolute: number | null;
  /** Since the last input of a person. */
  inactive: number | null;
  /** Without a connected viewer. */
  offline: number | null;
  /** Time between the warning and the end. */
  warning: number;
}

/** Parts of a session that the host receives unchanged. */
type HostSettings = Omit<
  HostSession,
  'sessionId' | 'adminTokenHash' | 'httpProxy' | 'extension' | 'restoreTabs' | 'keepProfile'
>;

/** Settings of a session, checked and complete. They are stored in its record, so they contain no secrets. */
export interface SessionSettings extends HostSettings {
  /** Tenant to which the usage belongs. */
  tenantId: string | null;
  /** Only one of the sessions with the same tag runs at a time. */
  tag: string | null;
  /** True if the request has no start address. */
  startUrlUnset: boolean;
  /** True if viewers have no control until an admin grants it. */
  controlDisabled: boolean;
  /** Seconds for which one user may have the browser alone. Null: no limit. */
  privacyTimeout: number | null;
  /** Roles of new viewers. */
  roles: readonly Role[];
  /** Additional roles of a viewer while their control is not disabled. */
  tiedRoles: readonly Role[];
  timeout: TimeoutLimits;
  /** Decides about viewers: the token in the address, or the customer's endpoint. */
  auth: 'token' | 'webhook';
  profile: ProfileUse;
}

/** A customer's endpoint. */
export interface WebhookTarget {
  /** http or https. */
  url: string;
  /** Proves to the customer that the request comes from this service. */
  bearer: string;
}

/** Secrets of a session. They are kept in memory only, and never in its record. */
export interface SessionSecrets {
  httpProxy: HostSession['httpProxy'];
  authWebhook: WebhookTarget | null;
  timeoutWebhook:
    | (Omit<WebhookTarget, 'bearer'> & {
        bearer: string | null;
        /** True to send warnings too. */
        warnings: boolean;
      })
    | null;
  /** Files of an extension, base64 by path. */
  extension: HostSession['extension'];
}

/** Bounds of the frame rate. */
export const FPS_LIMITS = { min: 24, max: 60 } as const;
/** Shortest and longest time limit, in seconds. A longer limit is lowered to the longest one, a year. */
export const TIMEOUT_RANGE = { min: 1, max: 31_536_000 } as const;

/**
 * Default roles of viewers. `privacy` is among them because applications of the hosted service let their
 * users call `enablePrivacyMode` without a role. Its time limit and the pause after it keep that bounded.
 */
export const DEFAULT_ROLES: readonly Role[] = ['chrome_apis', 'resize', 'control', 'privacy'];

/** Settings of a session if the request sets nothing. */
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
  privacyTimeout: 600,
  timeout: { absolute: null, inactive: null, offline: 3600, warning: 60 },
  auth: 'token',
  profile: { load: null, save: null },
};

/** Secrets of a session if the request sets none. */
export const NO_SECRETS: SessionSecrets = {
  httpProxy: null,
  authWebhook: null,
  timeoutWebhook: null,
  extension: null,
};
