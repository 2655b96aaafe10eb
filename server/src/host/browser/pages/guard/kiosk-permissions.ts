import type { CdpSession } from '../../cdp/cdp-session.js';

/**
 * Permissions for which Chromium shows a prompt, and which no policy can refuse. Names: the Permissions API.
 */
const ASKED: readonly { name: string; sysex?: boolean }[] = [
  { name: 'captured-surface-control' },
  { name: 'clipboard-read' },
  { name: 'idle-detection' },
  { name: 'keyboard-lock' },
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
 * Refuses the permissions in {@link ASKED} without a prompt, because the prompt would cover the page. This
 * applies to all pages of the browser.
 */
export function refusePermissions(page: CdpSession): void {
  for (const permission of ASKED) page.post('Browser.setPermission', { permission, setting: 'denied' });
}
