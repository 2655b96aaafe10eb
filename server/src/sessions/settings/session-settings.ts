import type { Role } from 'cloud-browser/protocol';
import type { TimeoutLimits } from '../../create-fields/values/time-limits.js';
import type { RecordingSettings } from '../../create-fields/values/recording-request.js';
import type { HostSession } from '../../host-protocol.js';
import {
  profileUseOf,
  type ProfileChoice,
  type ProfileUse,
} from '../../create-fields/values/profile-request.js';

/** Settings of a session that the host receives unchanged. */
type HostSettings = Omit<
  HostSession,
  'sessionId' | 'adminTokenHash' | 'httpProxy' | 'extension' | 'restoreTabs' | 'keepProfile' | 'ring'
>;

/**
 * Settings of a session, checked and complete. The service stores them in the session's record, so they
 * contain no secrets.
 */
export interface SessionSettings extends HostSettings {
  /** Tenant to which the usage belongs. */
  tenantId: string | null;
  /** At most one session with the same tag runs at a time. Null: no tag. */
  tag: string | null;
  /** True if the request has no start address. */
  startUrlUnset: boolean;
  /** True if viewers have no control until an admin grants it. */
  controlDisabled: boolean;
  /** Maximum seconds of privacy mode. Null: no limit. */
  privacyTimeout: number | null;
  /** Roles of new viewers. */
  roles: readonly Role[];
  /** Additional roles that a viewer has only while this viewer may control the session. */
  tiedRoles: readonly Role[];
  timeout: TimeoutLimits;
  /**
   * Way in which viewers without an issued token are admitted. `token`: by the token in the embed URL.
   * `webhook`: by the customer's endpoint. `tokens`: not at all.
   */
  auth: 'token' | 'webhook' | 'tokens';
  profile: ProfileUse;
  /**
   * Settings of the recording that starts with the session, or of the ring (the last seconds, kept in
   * memory). Null: the session has neither.
   */
  record: RecordingSettings | null;
}

/** Settings of a session that has no id yet. */
export interface RequestedSettings extends Omit<SessionSettings, 'profile'> {
  profile: ProfileChoice;
}

/** Returns the settings of a session with this id. A new profile gets the id of the session. */
export const settingsOf = (requested: RequestedSettings, sessionId: string): SessionSettings => ({
  ...requested,
  profile: profileUseOf(requested.profile, sessionId),
});

/** A customer's endpoint. */
export interface WebhookTarget {
  /** http or https. */
  url: string;
  /** Token that proves to the endpoint that a request comes from this service. */
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
        /** True to send events about hand-offs too. */
        handoffs: boolean;
      })
    | null;
  /** Files of an extension: content in base64, by path. */
  extension: HostSession['extension'];
}

/** Secrets of a session if the request sets none. */
export const NO_SECRETS: SessionSecrets = {
  httpProxy: null,
  authWebhook: null,
  timeoutWebhook: null,
  extension: null,
};
