import type { HostSession } from '../../../host-protocol.js';

/** The browser itself: Debian's wrapper script beside it adds flags and keys of its own. */
export const CHROMIUM = '/usr/lib/chromium/chromium';

const NOWHERE = 'http://127.0.0.1:1';

/**
 * Chromium's command line for a session. The sandbox stays on: there is no flag here that weakens it.
 */
export function chromiumArguments(session: HostSession, profileDirectory: string): string[] {
  const args = [
    '--remote-debugging-pipe',
    // Only through that pipe: lets us load an extension when it is first needed.
    '--enable-unsafe-extension-debugging',
    `--user-data-dir=${profileDirectory}`,
    '--window-position=0,0',
    `--window-size=${session.width},${session.height}`,
    '--ozone-platform=x11',
    // No GPU here: the software compositor paints straight into the window, without a detour over SwiftShader.
    '--disable-gpu',
    // Coloured fringes around letters are smeared by 4:2:0 video and cost bits.
    '--disable-lcd-text',
    // Otherwise the display tells it, and may tell another one later: see `DisplayScale`.
    ...(session.followsRatio ? [] : [`--force-device-scale-factor=${session.pixelRatio}`]),
    '--touch-events=enabled',
    // As far as a finger may move in a tap, and half of what two may in a pinch that is none: Android's own distance. The desktop's
    // is 15, which a pinch falls short by.
    '--touch-slop-distance=8',
    // A service must not call home, nor ask for a keyring that is not there.
    '--disable-background-networking',
    '--disable-component-update',
    // Some components are asked for all the same, and who is signed in at Google's: port 1 is one that Chromium never calls.
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
    '--noerrdialogs',
    '--hide-crash-restore-bubble',
    '--disable-session-crashed-bubble',
    '--disable-infobars',
    // The display is never covered by another window, and a viewer may look at any moment.
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    '--disable-background-timer-throttling',
    `--disable-features=${disabledFeatures(session).join(',')}`,
    ...wishes(session),
  ];
  if (session.kiosk) args.push('--kiosk');
  else args.push('--start-maximized');
  // Without a window of its own at the start, the browser does not end with its last one; see `StartWindow`.
  args.push(restoresAtStart(session) ? '--restore-last-session' : '--no-startup-window');
  return args;
}

/** What only some sessions ask for. */
function wishes({ dark, webgl, touchGestures }: HostSession): string[] {
  return [
    ...(dark ? ['--force-dark-mode'] : []),
    // By software: 3D contexts only, pages themselves are painted as ever.
    webgl ? '--enable-unsafe-swiftshader' : '--disable-3d-apis',
    ...(touchGestures.pinch ? [] : ['--disable-pinch']),
  ];
}

/** Whether the start page must wait until the browser, already running, is made ready for it. */
export function opensLater({
  userAgent,
  fieldMasking,
}: Pick<HostSession, 'userAgent' | 'fieldMasking'>): boolean {
  return userAgent !== 'desktop' || fieldMasking.length > 0;
}

/** What says when the tabs of a profile are opened. */
export type TabRestoring = Pick<HostSession, 'userAgent' | 'fieldMasking' | 'restoreTabs'>;

/** Whether the browser opens the tabs of its profile by itself, before anybody can make it ready for them. */
export function restoresAtStart(session: TabRestoring): boolean {
  return session.restoreTabs && !opensLater(session);
}

/** Whether the tabs of its profile come into the first window that it is told to open. */
export function restoresLater(session: TabRestoring): boolean {
  return session.restoreTabs && opensLater(session);
}

/** Chromium knows its new tab page by this name alone. */
export function startAddress(url: string): string {
  return url === 'about:newtab' ? 'chrome://newtab' : url;
}

function disabledFeatures({ touchGestures }: HostSession): string[] {
  return [...UNWANTED_FEATURES, ...(touchGestures.swipe ? [] : SWIPE_FEATURES)];
}

/** Swiping through the history, by fingers and by touchpads. The switch of that name says nothing to them any more. */
const SWIPE_FEATURES = ['OverscrollHistoryNavigation', 'TouchpadOverscrollHistoryNavigation'];

const UNWANTED_FEATURES = [
  'Translate',
  'MediaRouter',
  'OptimizationHints',
  'GlobalMediaControls',
  'DialMediaRouteProvider',
  'CalculateNativeWinOcclusion',
  'AutofillServerCommunication',
  // Each would be a page that is loaded at every start, in a renderer of its own. The address bar has a list without them.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
];
