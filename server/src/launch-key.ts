import { createHash } from 'node:crypto';
import type { HostSession } from './host-protocol.js';

/**
 * Time at which a setting takes effect.
 * - `launch`: at the start of the browser, as a flag, an environment variable, an extension or a policy. The
 *   setting has no effect in a browser that was started without it.
 * - `later`: in a running browser.
 * - `cold`: only in a browser that is started for this session.
 *
 * Policies count as `launch`: Chromium waits until their files have been unchanged for five seconds, far
 * longer than a cold start takes. Field masking also counts as `launch`, since it must be active in every
 * page before the page's first script.
 */
const TAKES_EFFECT = {
  sessionId: 'later',
  adminTokenHash: 'later',
  startUrl: 'later',
  width: 'later',
  height: 'later',
  // If it is fixed for the whole session, it is a flag instead, see `launchKey`.
  pixelRatio: 'later',
  followsRatio: 'launch',
  fps: 'later',
  kiosk: 'launch',
  hideCursor: 'later',
  maxArea: 'later',
  touchGestures: 'launch',
  adblock: 'launch',
  draw: 'launch',
  webgl: 'launch',
  dark: 'launch',
  searchEngine: 'launch',
  userAgent: 'launch',
  quality: 'later',
  locale: 'launch',
  // Only the egress process uses it, and it serves a browser only after a session has begun.
  httpProxy: 'later',
  extension: 'cold',
  fieldMasking: 'launch',
  privacyTimeout: 'later',
  restoreTabs: 'cold',
  keepProfile: 'cold',
} as const satisfies Record<keyof HostSession, 'launch' | 'later' | 'cold'>;

/** Reason why a session needs a browser of its own: it loads or saves a profile, or has an extension. */
export type ColdReason = 'profile' | 'extension';

/** Returns the reason why a session must start cold. Undefined: it may use a running browser. */
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
  const fixed = Object.entries(session).filter(
    ([name]) => TAKES_EFFECT[name as keyof HostSession] === 'launch',
  );
  const all = { ...Object.fromEntries(fixed), ...(followsRatio ? {} : { pixelRatio }) };
  return createHash('sha256').update(canonical(all)).digest('base64url');
}

/**
 * Returns the settings for starting a warm browser. These are the settings that are fixed at the start, and
 * the screen of the last request. So the screen seldom has to change. The fields are listed one by one, so
 * that no other data of a session is included. The page is empty.
 */
export function warmSession(session: HostSession): HostSession {
  const { width, height, pixelRatio, followsRatio, fps, maxArea, quality } = session;
  const { kiosk, touchGestures, adblock, draw, webgl, dark, searchEngine, userAgent, locale, fieldMasking } =
    session;
  return {
    ...{ width, height, pixelRatio, followsRatio, fps, maxArea, quality },
    ...{ kiosk, touchGestures, adblock, draw, webgl, dark, searchEngine, userAgent, locale, fieldMasking },
    sessionId: 'spare',
    // No token has this hash.
    adminTokenHash: '',
    startUrl: 'about:blank',
    hideCursor: false,
    httpProxy: null,
    extension: null,
    privacyTimeout: null,
    restoreTabs: false,
    keepProfile: false,
  };
}

/** Returns JSON with sorted keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
