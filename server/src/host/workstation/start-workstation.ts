import type { HostPlace, HostSession } from '../../host-protocol.js';
import { Scope } from '../../platform/scope.js';
import { pixelsOf } from '../../platform/screen-size.js';
import type { SessionLimits } from '../../platform/session-limits.js';
import { DropCounter, type Drop } from '../browser/cdp/drop-counter.js';
import { restoresAtStart } from '../browser/launch/arguments.js';
import { Chromium, prepareFiles } from '../browser/launch/chromium.js';
import { DisplayScale } from '../display/display-scale.js';
import type { Display } from '../display/display.js';
import { PopupTrim } from '../display/windows/popup-trim.js';
import { WindowFit } from '../display/windows/window-fit.js';
import { WindowManagerPing } from '../display/windows/window-manager-ping.js';
import { scaleWindowManager, startWindowManager } from '../display/windows/window-manager.js';
import { AccessibilityActions } from '../input/accessibility-actions.js';
import { InputDevices } from '../input/input-devices.js';
import { proveConfined } from '../sandbox/proof.js';
import { warmUpEncoder } from '../stream/encoder-warm-up.js';
import { streamParts } from '../stream/stream-parts.js';
import type { EarlyParts } from './early-parts.js';
import { openPages } from './open-pages.js';
import { firstEnd, type PartEnd } from './part-end.js';
import { displayModeOf, refreshOf } from './screen-mode.js';
import { Screen, type ScreenUsers } from './screen.js';
import { WorkWatches, type HangListener } from './work-watches.js';

/** Receives the reports of a workstation. */
export interface WorkstationListener extends HangListener {
  /** Called when the browser or a page did not answer in time, see {@link DropCounter}. */
  onDropped(drop: Drop): void;
  /** Called when a page was closed because the maximum number of pages is open. */
  onTabRefused(): void;
  /** Called when a user has followed a link that would start a program. */
  onProgramLink(): void;
  /** Called when the process of a page has ended. */
  onPageCrashed(): void;
  /**
   * Called when a selector of `field_masking` is invalid. All fields on the pages of that selector are then
   * masked.
   */
  onInvalidSelector(selector: string): void;
}

/** Everything that the start of a workstation needs. */
export interface WorkstationOrder {
  session: HostSession;
  limits: SessionLimits;
  place: HostPlace;
  early: EarlyParts;
  listener: WorkstationListener;
}

type OpenPages = Awaited<ReturnType<typeof openPages>>;

/** The started parts of a workstation. */
export interface WorkstationParts extends Pick<
  OpenPages,
  'bridge' | 'files' | 'accessibility' | 'focus' | 'start'
> {
  display: Display;
  screen: Screen;
  users: ScreenUsers;
  devices: InputDevices;
  accessibilityActions: AccessibilityActions;
  /** Milliseconds from the start to each step. */
  timings: Readonly<Record<string, number>>;
  watches: WorkWatches;
  browser: Chromium['process'];
  cdp: Chromium['cdp'];
  /** Resolves when the first part ends. */
  partEnded: Promise<PartEnd>;
  /** Owns all parts. */
  scope: Scope;
}

/** Starts all parts of a workstation. After a failure, closes the started parts and rejects. */
export async function startParts(order: WorkstationOrder): Promise<WorkstationParts> {
  const scope = new Scope();
  try {
    return await startIn(scope, order);
  } catch (error) {
    await scope.close();
    throw error;
  }
}

/**
 * Starts the display, then all other parts at the same time. When the scope is closed, it closes the parts.
 */
async function startIn(scope: Scope, order: WorkstationOrder): Promise<WorkstationParts> {
  const { session, place, early, listener } = order;
  const drops = new DropCounter((drop) => listener.onDropped(drop));
  const { timings, lap } = laps();
  const preparing = prepareFiles(session, place);
  // The code that starts the browser handles the failure.
  preparing.catch(() => undefined);
  scope.atEnd(() => preparing.then(() => undefined).catch(() => undefined));
  const display = await early.displays.take(displayModeOf(session));
  scope.atEnd(() => display.stop());
  lap('display');
  const { address } = display;
  // The browser reads the scale at its start, so it starts after the scale is set.
  const scaled = session.followsRatio
    ? scope.own(DisplayScale.open(address, session.pixelRatio), (scale) => scale.close())
    : undefined;
  const browser = startBrowser(order, address, drops, [preparing, scaled]);
  const browsing = Promise.all([browser.starting, browser.surroundings]).then(([chromium]) => {
    lap('browser');
    return openPages(session, place.extensions, order.limits.tabs, chromium);
  });
  const { kiosk, pixelRatio } = session;
  // The browser need not wait for the window manager, which is ready long before the browser opens its
  // window.
  const [windowFit, windowManager, screen, chromium, pages, devices, ping] = await Promise.all([
    scope.own(WindowFit.start(address, pixelsOf(session), kiosk), (fit) => fit.close()),
    scope.own(startWindowManager(place.directory, address, kiosk, pixelRatio), (manager) => manager.stop()),
    scope.own(openWarmScreen(display, session), (opened) => opened.close()),
    scope.own(browser.starting, (started) => started.stop()),
    browsing,
    scope.own(InputDevices.open(address, browsing, drops, kiosk), (opened) => opened.close()),
    scope.own(WindowManagerPing.open(address), (opened) => opened.close()),
    browsing.then(() => proveConfined(process.getuid?.() ?? -1)),
    scope.own(PopupTrim.start(address), (trim) => trim.close()),
  ]);
  const { accessibility, focus, emulation } = pages;
  scope.atEnd(() => accessibility.close());
  if (focus) scope.atEnd(() => focus.close());
  const accessibilityActions = new AccessibilityActions(accessibility, pages.pages, focus);
  // Does not wait for the page. If the page cannot be loaded, the browser shows an error page.
  void pages.start.load().catch(() => undefined);
  listenTo(pages, windowFit, drops, order);
  const watched = { display, windowManager, ping, chromium, pages: pages.pages };
  const watches = new WorkWatches(watched, listener);
  scope.atEnd(() => watches.close());
  lap('ready');
  pages.pages.pixelRatio = pixelRatio;
  if (focus) focus.pixelRatio = pixelRatio;
  const scale = await scaled;
  if (scale)
    scale.onChange = (connection, ratio) => scaleWindowManager(place.directory, connection, kiosk, ratio);
  const { bridge, files, start } = pages;
  return {
    ...{
      display,
      screen,
      devices,
      bridge,
      files,
      accessibility,
      accessibilityActions,
      focus,
      start,
      watches,
    },
    users: { windowFit, pages: pages.pages, focus, devices, scale, emulated: emulation !== undefined },
    timings,
    browser: chromium.process,
    cdp: chromium.cdp,
    partEnded: firstEnd(display.process, windowManager, chromium.process),
    scope,
  };
}

/** Measures the milliseconds until each step. */
function laps() {
  const began = performance.now();
  const timings: Record<string, number> = {};
  return { timings, lap: (step: string) => void (timings[step] = Math.round(performance.now() - began)) };
}

/**
 * Starts Chromium when its files, network and scale are ready. `surroundings` resolves when the parts are
 * ready that only pages need: the listening socket of the network, and the sound card. A browser that opens
 * restored tabs at its start waits for these parts too.
 */
function startBrowser(
  { session, limits, place, early }: WorkstationOrder,
  address: Display['address'],
  drops: DropCounter,
  [preparing, scaled]: [ReturnType<typeof prepareFiles>, Promise<DisplayScale> | undefined],
) {
  const surroundings = Promise.all([early.network.then(({ listener }) => listener), early.sound.ready]);
  surroundings.catch(() => undefined);
  const opensPages = restoresAtStart(session) ? surroundings : undefined;
  const starting = Promise.all([early.network, preparing, scaled, opensPages]).then(([network, files]) =>
    Chromium.start(session, limits, place, address, network, files, drops),
  );
  return { starting, surroundings };
}

/** Forwards events of the browser to the listener, and handles additional pages and windows. */
function listenTo(
  { bridge, pages, focus }: OpenPages,
  windowFit: WindowFit,
  drops: DropCounter,
  { session: { kiosk }, listener }: WorkstationOrder,
): void {
  if (focus) focus.onInvalid = (selector) => listener.onInvalidSelector(selector);
  pages.onRefused = () => listener.onTabRefused();
  pages.onProgramLink = () => listener.onProgramLink();
  pages.onCrashed = () => {
    drops.add('page', 'its process has ended');
    listener.onPageCrashed();
  };
  // In a kiosk, an additional page becomes a popup. Otherwise users could not return to the page that it
  // covers. Ignores failures, because the page may have been closed meanwhile.
  if (kiosk) pages.onOpened = (target) => void bridge.call('popOut', target).catch(() => undefined);
  windowFit.onSecondWindow = () =>
    void bridge.call('keepOneWindow', kiosk ? 'popups' : 'tabs').catch(() => undefined);
}

/** Opens the screen and encodes one picture. So the encoder is already set up when the first viewer joins. */
async function openWarmScreen(display: Display, session: HostSession): Promise<Screen> {
  const screen = await Screen.open(display, refreshOf(session));
  await warmUpEncoder(screen.source, (media, size) => streamParts(session, media, size), session);
  return screen;
}
