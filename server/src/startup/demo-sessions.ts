import type { HostSession } from '../host-protocol.js';
import { completeSettings } from '../sessions/settings/complete-settings.js';
import type { CreateRequest } from '../create-fields/create-request.js';
import { hostSessionOf } from '../sessions/settings/host-session.js';
import { NO_SECRETS, settingsOf } from '../sessions/settings/session-settings.js';
import { REGIONS } from '../create-fields/values/region.js';

/**
 * Requests that the demo sends from its first page and its page for phones. They contain only the fields that
 * affect a browser's start.
 */
const REQUESTS: readonly CreateRequest[] = [
  { width: 1108, height: 831, fps: 60, kiosk: false, pixel_ratio: 'auto', max_area: 1920 * 1080 },
  {
    ...{ width: 390, height: 780, fps: 60, kiosk: true, pixel_ratio: 'auto', max_area: 1920 * 1080 },
    touch_gestures: { pinch: true, swipe: true },
    user_agent: 'chrome_android',
  },
];

/**
 * Returns the sessions that the demo creates with the initial values of its forms. The most likely session is
 * first.
 */
export function demoSessions(): HostSession[] {
  return REQUESTS.map((request) =>
    hostSessionOf('demo', settingsOf(completeSettings(request, REGIONS, []), 'demo'), NO_SECRETS, ''),
  );
}
