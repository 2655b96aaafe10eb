import { createHash } from 'node:crypto';
import type { Effect } from './create-fields/field-row.js';
import { FIELD_EFFECTS } from './create-fields/index.js';
import type { HostSession } from './host-protocol.js';
import { DEFAULT_SETTINGS } from './sessions/settings/default-settings.js';
import { hostSessionOf } from './sessions/settings/host-session.js';
import { NO_SECRETS } from './sessions/settings/session-settings.js';

/** Time at which each setting of a session takes effect in its browser. */
const EFFECTS: Record<keyof HostSession, Effect> = {
  ...FIELD_EFFECTS,
  sessionId: 'later',
  adminTokenHash: 'later',
};

/** A session that belongs to no customer. All settings have their defaults, and no token matches the hash. */
const ANYBODY: HostSession = {
  ...hostSessionOf('warm', DEFAULT_SETTINGS, NO_SECRETS, ''),
  adminTokenHash: '',
};

/** Returns the settings that take effect at the given times. */
function settingsWith(session: HostSession, ...times: Effect[]): Partial<HostSession> {
  const isWanted = (name: string) => times.includes(EFFECTS[name as keyof HostSession]);
  return Object.fromEntries(Object.entries(session).filter(([name]) => isWanted(name)));
}

/**
 * Reason why a session cannot use a warm browser (a browser that was started in advance). `profile`: the
 * session loads or saves a profile. `extension`: the session has an extension.
 */
export type ColdReason = 'profile' | 'extension';

/** Returns the {@link ColdReason} of a session. Undefined if the session can use a warm browser. */
export function coldReason(
  session: Pick<HostSession, 'extension' | 'restoreTabs' | 'keepProfile'>,
  loadsProfile: boolean,
): ColdReason | undefined {
  if (loadsProfile || session.keepProfile || session.restoreTabs) return 'profile';
  return session.extension === null ? undefined : 'extension';
}

/**
 * Returns the launch key: a hash of the settings that are fixed when a browser starts. A session can use each
 * warm browser that was started with the same key.
 */
export function launchKey(session: HostSession): string {
  const { pixelRatio, followsRatio } = session;
  // If the session has a fixed pixel ratio, this ratio is a command-line flag of the browser. So it is part
  // of the key.
  const all = { ...settingsWith(session, 'launch'), ...(followsRatio ? {} : { pixelRatio }) };
  return createHash('sha256').update(canonical(all)).digest('base64url');
}

/**
 * Returns the settings for starting a warm browser. They contain the settings of `session` that are fixed
 * when a browser starts. They also contain the screen of `session`, because the next session often has the
 * same screen. All other settings have their defaults, so the page is empty.
 */
export function warmSession(session: HostSession): HostSession {
  return { ...ANYBODY, ...settingsWith(session, 'launch', 'screen') };
}

/** Returns JSON with sorted keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
