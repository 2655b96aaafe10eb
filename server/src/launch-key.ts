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

/** Reason why a session needs a browser of its own: it loads or saves a profile, or has an extension. */
export type ColdReason = 'profile' | 'extension';

/** Returns the reason why a session cannot use a warm browser. Undefined if it can. */
export function coldReason(
  session: Pick<HostSession, 'extension' | 'restoreTabs' | 'keepProfile'>,
  loadsProfile: boolean,
): ColdReason | undefined {
  if (loadsProfile || session.keepProfile || session.restoreTabs) return 'profile';
  return session.extension === null ? undefined : 'extension';
}

/**
 * Returns the launch key. Sessions with the same key can use browsers that were started with the same
 * settings.
 */
export function launchKey(session: HostSession): string {
  const { pixelRatio, followsRatio } = session;
  // A ratio that is fixed for the whole session is a flag of the browser.
  const all = { ...settingsWith(session, 'launch'), ...(followsRatio ? {} : { pixelRatio }) };
  return createHash('sha256').update(canonical(all)).digest('base64url');
}

/**
 * Returns the settings for starting a warm browser. These are the settings that are fixed at the start, and
 * the screen of the last request. So the screen seldom has to change. No other data of a session is included.
 * The page is empty.
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
