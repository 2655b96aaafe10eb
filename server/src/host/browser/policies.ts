import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Chromium policies for a hosted browser. Pages come from the network only: local files and internal pages would show
 * the server to whoever sits at the viewer. `DeveloperToolsAvailability` stays unset, since forbidding the tools breaks
 * the CDP pipe as well; their address is blocked instead.
 * Names and values: the Chrome Enterprise policy list.
 */
const POLICIES = {
  URLBlocklist: [
    'file://*',
    'view-source:*',
    'chrome://*',
    'chrome-untrusted://*',
    'devtools://*',
    'javascript://*',
  ],
  URLAllowlist: ['chrome://newtab', 'chrome://new-tab-page'],
  DownloadRestrictions: 3,
  PrintingEnabled: false,
  BrowserSignin: 0,
  SyncDisabled: true,
  MetricsReportingEnabled: false,
  DefaultBrowserSettingEnabled: false,
  PromotionalTabsEnabled: false,
  SafeBrowsingProtectionLevel: 0,
  AudioCaptureAllowed: false,
  VideoCaptureAllowed: false,
  ScreenCaptureAllowed: false,
  DefaultNotificationsSetting: 2,
  DefaultGeolocationSetting: 2,
  DefaultSerialGuardSetting: 2,
  DefaultWebUsbGuardSetting: 2,
  DefaultWebBluetoothGuardSetting: 2,
  DefaultWebHidGuardSetting: 2,
  DefaultFileSystemReadGuardSetting: 2,
  DefaultFileSystemWriteGuardSetting: 2,
  WebRtcIPHandling: 'disable_non_proxied_udp',
  BackgroundModeEnabled: false,
  ComponentUpdatesEnabled: false,
  TaskManagerEndProcessEnabled: false,
  CommandLineFlagSecurityWarningsEnabled: false,
} as const;

/** Writes the policies of one session into a directory that becomes Chromium's policy directory in its sandbox. */
export async function writePolicies(directory: string): Promise<void> {
  await writeFile(join(directory, 'session.json'), JSON.stringify(POLICIES, null, 2));
}
