import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostSession, SearchEngine } from '../../../host-protocol.js';
import { BROWSER_PROXY_PORT } from '../../../platform/network/browser-proxy.js';
import { BLOCKED_PERMISSIONS } from '../../../platform/extension-permissions.js';
import { restoresLater, type TabRestoring } from './arguments.js';
import { extensionId, OWN_EXTENSIONS } from './extensions.js';

/**
 * Chromium policies for a hosted browser. The browser opens pages only from the network, because local files
 * and internal pages would show viewers data of the server. The policies `DeveloperTools...` stay unset,
 * because forbidding the tools also breaks the CDP pipe. The URL of the tools is blocked instead. So the menu
 * of a page has the item to inspect it, and Chromium refuses to open the tools. Source of the names and
 * values: the Chrome Enterprise policy list.
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
  // Chromium replaces the first URL with the second one, or with the third one if the search engine is not
  // Google.
  URLAllowlist: ['chrome://newtab', 'chrome://new-tab-page', 'chrome://new-tab-page-third-party'],
  // Forbids file dialogs, because they would list the server's files. Also forbids downloads. The host
  // uploads files and allows downloads over the CDP pipe, to which these policies do not apply.
  DownloadRestrictions: 3,
  AllowFileSelectionDialogs: false,
  PrintingEnabled: false,
  BrowserSignin: 0,
  // Each of these modes would open tabs outside of the session's control.
  IncognitoModeAvailability: 1,
  BrowserGuestModeEnabled: false,
  BrowserAddPersonEnabled: false,
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
  // Sends all traffic through the only proxy in the browser's network, also for loopback addresses. An
  // extension cannot choose another proxy.
  ProxySettings: {
    ProxyMode: 'fixed_servers',
    ProxyServer: `http://127.0.0.1:${BROWSER_PROXY_PORT}`,
    ProxyBypassList: '<-loopback>',
  },
  // All web servers share the connections to the proxy. With Chromium's default limit, pages would wait for
  // free connections.
  MaxConnectionsPerProxy: 99,
  MaxConnectionsPerProxyForWebSocket: 255,
  // Refuses access to the server's local network without a prompt, because viewers must not decide about it.
  LocalNetworkAccessBlockedForUrls: ['*'],
  LocalNetworkBlockedForUrls: ['*'],
  LoopbackNetworkBlockedForUrls: ['*'],
  BackgroundModeEnabled: false,
  ComponentUpdatesEnabled: false,
  BrowserNetworkTimeQueriesEnabled: false,
  TaskManagerEndProcessEnabled: false,
  CommandLineFlagSecurityWarningsEnabled: false,
} as const;

/**
 * Permissions that a customer's extension never gets. With them it could control the browser beyond the
 * user's rights (`debugger`), start programs of the server, change the network settings, or control other
 * extensions, including the project's own.
 */
const EXTENSION_LIMITS = { blocked_permissions: BLOCKED_PERMISSIONS };

/**
 * Settings of extensions: `*` for all extensions, then an entry for each of the project's extensions. An
 * entry replaces the settings of `*`, so the project's extensions have no limits.
 */
const EXTENSIONS = {
  '*': EXTENSION_LIMITS,
  ...Object.fromEntries(OWN_EXTENSIONS.map((name) => [extensionId(name), { installation_mode: 'allowed' }])),
};

/** Value of `RestoreOnStartup` that restores the tabs that were open last. */
const LAST_SESSION = 1;

/**
 * Writes the policies of one session into a directory that becomes Chromium's policy directory in its
 * sandbox.
 */
export async function writePolicies(
  directory: string,
  session: Pick<HostSession, 'keepProfile' | 'kiosk' | 'searchEngine'> & TabRestoring,
): Promise<void> {
  const masks = session.fieldMasking.length > 0;
  const policies = {
    ...POLICIES,
    ExtensionSettings: EXTENSIONS,
    // Disables Chromium's prompt to save a password where it has no use: if no profile is kept, in a kiosk,
    // and with masked fields. The prompt would cover the page.
    ...(session.keepProfile && !session.kiosk && !masks ? {} : { PasswordManagerEnabled: false }),
    // An autofill suggestion for one field also fills other fields, including masked ones.
    ...(masks ? { AutofillAddressEnabled: false, AutofillCreditCardEnabled: false } : {}),
    // The switch `--restore-last-session` works only for windows that the browser opens by itself at its
    // start. This policy works for the first window at any time.
    ...(restoresLater(session) ? { RestoreOnStartup: LAST_SESSION } : {}),
    ...searchPolicies(session.searchEngine),
  };
  await writeFile(join(directory, 'session.json'), JSON.stringify(policies, null, 2));
}

function searchPolicies({ name, keyword, url, suggestionsUrl }: SearchEngine): Record<string, unknown> {
  return {
    DefaultSearchProviderEnabled: true,
    DefaultSearchProviderName: name,
    DefaultSearchProviderKeyword: keyword,
    DefaultSearchProviderSearchURL: url,
    ...(suggestionsUrl === undefined
      ? { SearchSuggestEnabled: false }
      : { SearchSuggestEnabled: true, DefaultSearchProviderSuggestURL: suggestionsUrl }),
  };
}
