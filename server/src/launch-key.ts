import { createHash } from 'node:crypto';
import type { HostSession } from './host-protocol.js';

/**
 * When a setting takes effect: `launch`, as a flag, an environment variable, an extension, or a policy of the browser, so only a browser
 * that was started with it has it; `later`, in a browser that runs; `cold`, only in one that is started for this very session.
 *
 * Policies count as fixed: Chromium waits until their files have been unchanged for five seconds, far longer than a cold start takes.
 * So does what masks fields, which has to be in every page before its first script.
 */
const TAKES_EFFECT = {
  sessionId: 'later',
  adminTokenHash: 'later',
  startUrl: 'later',
  width: 'later',
  height: 'later',
  // Unless it is fixed for the whole session: then it is a flag, see `launchKey`.
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
  // Known to the egress process alone, which serves no browser before it is a session's.
  httpProxy: 'later',
  extension: 'cold',
  fieldMasking: 'launch',
  restoreTabs: 'cold',
  keepProfile: 'cold',
} as const satisfies Record<keyof HostSession, 'launch' | 'later' | 'cold'>;

/** Why a session needs a browser that is started for it alone: it begins with a profile or leaves one, or brings an extension. */
export type ColdReason = 'profile' | 'extension';

/** Why a session that may have a browser that runs already must start cold; undefined: it need not. */
export function coldReason(
  session: Pick<HostSession, 'extension' | 'restoreTabs' | 'keepProfile'>,
  loadsProfile: boolean,
): ColdReason | undefined {
  if (loadsProfile || session.keepProfile || session.restoreTabs) return 'profile';
  return session.extension === null ? undefined : 'extension';
}

/** Two sessions with the same key can be served by browsers that were started alike. */
export function launchKey(session: HostSession): string {
  const { pixelRatio, followsRatio } = session;
  const fixed = Object.entries(session).filter(
    ([name]) => TAKES_EFFECT[name as keyof HostSession] === 'launch',
  );
  const all = { ...Object.fromEntries(fixed), ...(followsRatio ? {} : { pixelRatio }) };
  return createHash('sha256').update(canonical(all)).digest('base64url');
}

/**
 * What a browser is started with before anybody asks for it: the settings that are fixed then, and the screen that was asked for last,
 * so that it seldom has to change. Everything is named, so that nothing else of a session comes along; its page is empty.
 */
export function spareSession(session: HostSession): HostSession {
  const { width, height, pixelRatio, followsRatio, fps, maxArea, quality } = session;
  const { kiosk, touchGestures, adblock, draw, webgl, dark, searchEngine, userAgent, locale, fieldMasking } =
    session;
  return {
    ...{ width, height, pixelRatio, followsRatio, fps, maxArea, quality },
    ...{ kiosk, touchGestures, adblock, draw, webgl, dark, searchEngine, userAgent, locale, fieldMasking },
    sessionId: 'spare',
    // The hash of no token.
    adminTokenHash: '',
    startUrl: 'about:blank',
    hideCursor: false,
    httpProxy: null,
    extension: null,
    restoreTabs: false,
    keepProfile: false,
  };
}

/** JSON with the names of objects in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
