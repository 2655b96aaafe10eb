import {
  TAB_EVENTS,
  TAB_METHODS,
  type MethodResult,
  type SessionEvents,
  type TabEvents,
  type TabMethod,
} from 'cloud-browser/protocol';
import type { CdpSession } from '../../browser/cdp/cdp-session.js';
import { hasRole } from '../users/rights.js';
import type { Viewer } from '../viewer.js';
import { forRole, type Caller } from './access.js';
import { CallError } from './call-error.js';
import type { Calls } from './calls.js';
import { TabDriver, unavailable, type TabBackend, type TabPages } from './tab-driver.js';

const ROLE = 'chrome_apis';
const mayDrive = forRole(ROLE);
const DIALOG_EVENTS = ['dialogs.onOpened', 'dialogs.onClosed'] as const;

/**
 * `tabs.*` and `dialogs.*`: the session's tabs by Chrome's own interface, and what their pages ask, for viewers with the role
 * `chrome_apis` and for admins. The browser may be started again meanwhile: calls wait for it, subscriptions go on.
 */
export class TabCalls {
  readonly #calls: Calls;
  /** Those who subscribed with the admin token. */
  readonly #admins = new WeakSet<Viewer>();
  #browser = expected();
  /** Somebody follows events, or did. */
  #followed = false;

  constructor(calls: Calls) {
    this.#calls = calls;
    for (const method of TAB_METHODS)
      calls.add(`tabs.${method}`, mayDrive, (args) => this.#call(method, args));
    for (const event of [...TAB_EVENTS, 'onReconnected'] as const)
      calls.addEvent(`tabs.${event}`, (caller) => this.#follow(caller));
    const driver = () => this.#browser.arrived.then((browser) => browser.driver);
    calls.add('dialogs.list', mayDrive, async () => (await driver()).openDialogs());
    calls.add('dialogs.answer', mayDrive, async ([tab, answer]) =>
      (await driver()).answerDialog(tab, answer),
    );
    for (const event of DIALOG_EVENTS) calls.addEvent(event, (caller) => this.#follow(caller));
  }

  /** There is a browser, the first one or another. */
  use(backend: TabBackend, pages: TabPages): void {
    const driver = new TabDriver(backend, pages);
    backend.onEvent = ({ name, args }) => {
      const event = TAB_EVENTS.find((known) => name === `tabs.${known}`);
      // The arguments are Chrome's, passed on as they are.
      if (event) this.#publish(`tabs.${event}`, args as TabEvents[typeof event]);
    };
    backend.onReopened = () => this.#publish('tabs.onReconnected', []);
    this.#tellDialogs(driver, pages);
    this.#browser.arrive({ backend, driver });
    if (!this.#followed) return;
    backend.open().then(
      () => this.#publish('tabs.onReconnected', []),
      // It ended again: the next one comes here too.
      () => undefined,
    );
  }

  /** Calls wait for the next one from now on. */
  browserIsGone(): void {
    this.#browser = expected();
  }

  async #call(method: TabMethod, args: readonly unknown[]): Promise<MethodResult<`tabs.${TabMethod}`>> {
    const { driver } = await this.#browser.arrived;
    const outcome = await driver.call(method, args);
    if ('error' in outcome) throw new CallError('err_chrome', outcome.error);
    return outcome.result;
  }

  #follow(caller: Caller): Promise<void> {
    mayDrive(caller);
    if (caller.viewer && caller.admin) this.#admins.add(caller.viewer);
    this.#followed = true;
    return this.#browser.arrived.then(({ backend }) => backend.open()).catch(unavailable);
  }

  /** Dialogs are told by the numbers of their tabs; without listeners the browser is not asked for these. */
  #tellDialogs(driver: TabDriver, { dialogs }: TabPages): void {
    const told = new WeakMap<CdpSession, Promise<number | undefined>>();
    const listened = () => DIALOG_EVENTS.some((event) => this.#calls.hasSubscribers(event));
    dialogs.onOpened = (page, dialog) => {
      if (!listened()) return;
      const tab = driver.tabOf(page).catch(() => undefined);
      told.set(page, tab);
      void tab.then(
        (tabId) => tabId !== undefined && this.#publish('dialogs.onOpened', [{ tabId, ...dialog }]),
      );
    };
    dialogs.onClosed = (page) => {
      void told.get(page)?.then((tabId) => tabId !== undefined && this.#publish('dialogs.onClosed', [tabId]));
    };
  }

  #publish<Event extends `tabs.${keyof TabEvents}` | (typeof DIALOG_EVENTS)[number]>(
    name: Event,
    args: SessionEvents[Event],
  ): void {
    this.#calls.publish(name, args, (viewer) => this.#admins.has(viewer) || hasRole(viewer.rights, ROLE));
  }
}

/** A browser that is to come. */
interface Browser {
  backend: TabBackend;
  driver: TabDriver;
}

function expected(): { arrived: Promise<Browser>; arrive: (browser: Browser) => void } {
  let arrive: (browser: Browser) => void = () => undefined;
  const arrived = new Promise<Browser>((resolve) => (arrive = resolve));
  return { arrived, arrive };
}
