import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostSession, SearchEngine } from '../../../host-protocol.js';
import { BROWSER_PROXY_PORT } from '../../../platform/browser-proxy.js';
import { BLOCKED_PERMISSIONS } from '../../../platform/extension-permissions.js';
import { restoresLater, type TabRestoring } from './arguments.js';
import { extensionId, OWN_EXTENSIONS } from './extensions.js';

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
  // The second is what the first becomes with a search engine other than Google.
  URLAllowlist: ['chrome://newtab', 'chrome://new-tab-page', 'chrome://new-tab-page-third-party'],
  // Neither holds for what is done over the CDP pipe, by which alone files come and go. Dialogs would list the server's files.
  DownloadRestrictions: 3,
  AllowFileSelectionDialogs: false,
  PrintingEnabled: false,
  BrowserSignin: 0,
  // Each would be a second browser, beside the tabs that a session knows of.
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
  // The only way out of the browser's own network, also to what it takes for itself. An extension cannot choose another.
  ProxySettings: {
    ProxyMode: 'fixed_servers',
    ProxyServer: `http://127.0.0.1:${BROWSER_PROXY_PORT}`,
    ProxyBypassList: '<-loopback>',
  },
  // All hosts together share them: the limits of a proxy that many people use would let pages wait.
  MaxConnectionsPerProxy: 99,
  MaxConnectionsPerProxyForWebSocket: 255,
  // Nobody at a viewer is to be asked whether a page may reach what is near the server.
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
 * What no customer's extension gets: driving the browser past what its user may (`debugger`), programs of the server, the way to the
 * network, and other extensions, ours among them.
 */
const EXTENSION_LIMITS = { blocked_permissions: BLOCKED_PERMISSIONS };

/** A setting for an identifier replaces the one for all, so ours have none of the limits. */
const EXTENSIONS = {
  '*': EXTENSION_LIMITS,
  ...Object.fromEntries(OWN_EXTENSIONS.map((name) => [extensionId(name), { installation_mode: 'allowed' }])),
};

/** What `RestoreOnStartup` calls the tabs that were open last. */
const LAST_SESSION = 1;

/** Writes the policies of one session into a directory that becomes Chromium's policy directory in its sandbox. */
export async function writePolicies(
  directory: string,
  session: Pick<HostSession, 'keepProfile' | 'kiosk' | 'searchEngine'> & TabRestoring,
): Promise<void> {
  const masks = session.fieldMasking.length > 0;
  const policies = {
    ...POLICIES,
    ExtensionSettings: EXTENSIONS,
    // To ask whether to save a password would only cover the page: nothing is kept, or there is nothing but the page.
    ...(session.keepProfile && !session.kiosk && !masks ? {} : { PasswordManagerEnabled: false }),
    // A proposal for one field fills others, masked ones too.
    ...(masks ? { AutofillAddressEnabled: false, AutofillCreditCardEnabled: false } : {}),
    // The switch counts for windows that the browser opens by itself at its start, this for the first one at any time.
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
