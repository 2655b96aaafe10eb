import type { HostSession } from '../../../host-protocol.js';

/**
 * Path of the browser binary. The host does not use Debian's wrapper script, because the script adds its own
 * flags and keys.
 */
export const CHROMIUM = '/usr/lib/chromium/chromium';

const NOWHERE = 'http://127.0.0.1:1';

/** Returns Chromium's command line for a session. The sandbox stays on: no flag here weakens it. */
export function chromiumArguments(session: HostSession, profileDirectory: string): string[] {
  const args = [
    '--remote-debugging-pipe',
    // Allows the host to load an extension over CDP when the extension is first needed. Chromium allows this
    // only over the pipe.
    '--enable-unsafe-extension-debugging',
    `--user-data-dir=${profileDirectory}`,
    '--window-position=0,0',
    `--window-size=${session.width},${session.height}`,
    '--ozone-platform=x11',
    // There is no GPU. With this flag the software compositor paints directly into the window. SwiftShader
    // would be slower.
    '--disable-gpu',
    // Subpixel text has coloured fringes. 4:2:0 video blurs them, and they cost bits.
    '--disable-lcd-text',
    // Without this flag the display reports the scale, and may change it later: see `DisplayScale`.
    ...(session.followsRatio ? [] : [`--force-device-scale-factor=${session.pixelRatio}`]),
    '--touch-events=enabled',
    // Distance in pixels that a finger may move during a tap. A pinch begins at twice this distance. This is
    // Android's own value. With the desktop's value of 15, small pinches are not recognised.
    '--touch-slop-distance=8',
    // The browser must not contact Google, or ask for a keyring that does not exist.
    '--disable-background-networking',
    '--disable-component-update',
    // Chromium still contacts Google for some components and for signed-in accounts. The next two flags send
    // these requests to port 1, to which Chromium never connects.
    `--component-updater=url-source=${NOWHERE}`,
    `--gaia-url=${NOWHERE}`,
    '--disable-sync',
    '--disable-quic',
    '--password-store=basic',
    '--no-first-run',
    '--no-default-browser-check',
    '--no-service-autorun',
    '--disable-domain-reliability',
    '--disable-breakpad',
    '--disable-crash-reporter',
    // Two processes still wait for crash reports. `--disable-crashpad-for-testing` would save their 1 MB, but
    // then Chromium plays no sound.
    '--noerrdialogs',
    '--hide-crash-restore-bubble',
    '--disable-session-crashed-bubble',
    '--disable-infobars',
    // Viewers may look at any moment, so the window must never pause in the background.
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    '--disable-background-timer-throttling',
    // The network service runs in the browser's process. A separate process would take 15 MB and a tenth of
    // the start time. On Linux, Chromium does not sandbox that process more strictly than the browser's
    // process, so no protection is lost.
    '--enable-features=NetworkServiceInProcess2',
    `--disable-features=${disabledFeatures(session).join(',')}`,
    `--disable-blink-features=${UNWANTED_BLINK_FEATURES.join(',')}`,
    // By default, Chromium writes local storage to the disk some seconds after a change, and at most once a
    // minute. If it is closed or killed before that, the change can be lost. With this flag, it writes after
    // one second.
    ...(session.keepProfile ? ['--enable-aggressive-domstorage-flushing'] : []),
    ...wishes(session),
  ];
  if (session.kiosk) args.push('--kiosk');
  else args.push('--start-maximized');
  // Without a window at its start, the browser keeps running when its last window closes; see `StartWindow`.
  args.push(restoresAtStart(session) ? '--restore-last-session' : '--no-startup-window');
  return args;
}

/** Returns the flags for options that only some sessions set. */
function wishes({ dark, webgl, touchGestures }: HostSession): string[] {
  return [
    ...(dark ? ['--force-dark-mode'] : []),
    // Enables software rendering for 3D contexts only. It does not change how pages themselves are painted.
    webgl ? '--enable-unsafe-swiftshader' : '--disable-3d-apis',
    ...(touchGestures.pinch ? [] : ['--disable-pinch']),
  ];
}

/** True if the start page must wait until the running browser is prepared for it. */
export function opensLater({
  userAgent,
  fieldMasking,
}: Pick<HostSession, 'userAgent' | 'fieldMasking'>): boolean {
  return userAgent !== 'desktop' || fieldMasking.length > 0;
}

/** Options that decide when the tabs of a profile are opened. */
export type TabRestoring = Pick<HostSession, 'userAgent' | 'fieldMasking' | 'restoreTabs'>;

/**
 * True if the browser opens the tabs of its profile by itself at its start, before the host can prepare them.
 */
export function restoresAtStart(session: TabRestoring): boolean {
  return session.restoreTabs && !opensLater(session);
}

/** True if the browser restores the tabs of its profile in the first window that the host opens. */
export function restoresLater(session: TabRestoring): boolean {
  return session.restoreTabs && opensLater(session);
}

function disabledFeatures({ touchGestures }: HostSession): string[] {
  return [...UNWANTED_FEATURES, ...(touchGestures.swipe ? [] : SWIPE_FEATURES)];
}

/**
 * Features for swiping through the history on touch screens and touchpads. The command-line switch
 * `--overscroll-history-navigation` does not affect these features.
 */
const SWIPE_FEATURES = ['OverscrollHistoryNavigation', 'TouchpadOverscrollHistoryNavigation'];

const UNWANTED_BLINK_FEATURES = [
  // Without it, pages have no `showOpenFilePicker`, `showSaveFilePicker` and `showDirectoryPicker`, whose
  // dialogs would list the server's files. The host can refuse these dialogs, but not give them files.
  // Without the functions, pages use a file field and a download, as in browsers that lack them. Both work in
  // a session. The private file system of pages stays.
  'FileSystemAccessLocal',
  // `PublicKeyCredential`: passkeys and security keys. A session has no authenticator, and the phone or the
  // key of a user is not near the server. Chromium would ask for one in a window that covers the page, or
  // that a phone does not show at all. Without the interface, sign-in pages offer a password, as in browsers
  // that lack it. Chromium still accepts requests of pages that do not look for it: see `refusePasskeys`.
  'WebAuth',
  // The download of a `backgroundFetch` belongs to no page. So the host cannot apply the roles and limits
  // of downloads, and users do not see it in their list. In a kiosk, Chromium would show a message over the
  // page. Pages download in the foreground instead, as in Firefox.
  'BackgroundFetch',
  // The host's own pipe would set `navigator.webdriver`. Sign-in pages then take the person for a program,
  // and refuse. A program that wants to be recognized sends `Emulation.setAutomationOverride`.
  'AutomationControlled',
];

const UNWANTED_FEATURES = [
  'Translate',
  'MediaRouter',
  'OptimizationHints',
  'GlobalMediaControls',
  'DialMediaRouteProvider',
  'CalculateNativeWinOcclusion',
  'AutofillServerCommunication',
  // Its window would cover the tabs and the page, and could not leave the screen of the session, which is its
  // purpose. Pages notice that `documentPictureInPicture` is missing, and offer something else.
  'DocumentPictureInPictureAPI',
  // A page that requests data from a digital wallet would open a dialog over the page. A session has no
  // wallet.
  'WebIdentityDigitalCredentials',
  // `PaymentRequest`. Every page can open its window, and no other part of the page reacts until the window
  // is closed. The window is wider than the screen of a phone, which then does not show the button that
  // closes it. Without `PaymentRequest`, pages pay in a form or a popup, as in Firefox.
  'WebPayments',
  // A renderer that waits for the next site would take 11 MB of each session, and 0.4 s of processor time.
  // With it, a page of another site opens only 6 ms sooner.
  'SpareRendererForSitePerProcess',
  // Each of these features would load a page in its own renderer at every start. The address bar also works
  // without them.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
];
