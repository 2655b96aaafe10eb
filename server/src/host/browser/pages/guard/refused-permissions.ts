import type { CdpSession } from '../../cdp/cdp-session.js';

/** A permission by its name in the Permissions API. */
type Permission = Readonly<{ name: string; sysex?: boolean }>;

/**
 * Permissions for which Chromium shows a prompt, which no policy can refuse, and which are of no use in any
 * session. A session has no MIDI devices and one screen. The fonts are those of the server. Idle detection
 * would report the display of the server, or when the people of the session act.
 */
const USELESS: readonly Permission[] = [
  { name: 'captured-surface-control' },
  { name: 'idle-detection' },
  { name: 'local-fonts' },
  { name: 'local-network' },
  { name: 'local-network-access' },
  { name: 'loopback-network' },
  { name: 'midi' },
  { name: 'midi', sysex: true },
  { name: 'speaker-selection' },
  { name: 'web-app-installation' },
  { name: 'window-management' },
];

/**
 * Permissions that people can decide about where they see the address bar. `clipboard-read` lets a page read
 * what any user of the session has copied, so the session does not grant it by itself. Writing to the
 * clipboard needs no permission after a press.
 */
const ASKED: readonly Permission[] = [{ name: 'clipboard-read' }, { name: 'keyboard-lock' }];

/**
 * Refuses permissions without a prompt, because a prompt covers the page, and the page waits for an answer.
 * The refusals apply to all pages of the browser. A kiosk has no prompts at all: it has no address bar, so
 * people could not find out later what they have allowed.
 */
export function refusePermissions(page: Pick<CdpSession, 'post'>, kiosk: boolean): void {
  for (const permission of kiosk ? [...USELESS, ...ASKED] : USELESS)
    page.post('Browser.setPermission', { permission, setting: 'denied' });
}
