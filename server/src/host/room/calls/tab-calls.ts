import {
  TAB_EVENTS,
  TAB_METHODS,
  type DialogAnswer,
  type MethodResult,
  type PageDialog,
  type SessionEvents,
  type TabDialog,
  type TabEvents,
  type TabMethod,
} from 'cloud-browser/protocol';
import { hasRole } from '../users/rights.js';
import type { Viewer } from '../viewer.js';
import { forRole, type Caller } from './access.js';
import { browserUnavailable, CallError, dialogOpen, pageUnresponsive, tooManyTabs } from './call-error.js';
import type { Calls } from './calls.js';

const ROLE = 'chrome_apis';
const mayDrive = forRole(ROLE);
const DIALOG_EVENTS = ['dialogs.onOpened', 'dialogs.onClosed'] as const;

/** Where events of tabs come from; see `Bridge`. */
export interface TabBackend {
  onEvent: ((event: { name: string; args: unknown[] }) => void) | undefined;
  onReopened: (() => void) | undefined;
  open(): Promise<void>;
}

/** Carries out what is asked of tabs; see `TabDriver` of the browser. */
export interface TabDriver {
  call(method: TabMethod, args: readonly unknown[]): Promise<Outcome>;
  followDialogs(onOpened: (dialog: TabDialog) => void, onClosed: (tab: number) => void): void;
  openDialogs(): Promise<TabDialog[]>;
  answerDialog(tab: number, answer: DialogAnswer): Promise<boolean>;
}

/** What Chrome answers; an obstacle is the dialog that a page has open, or that the page does not answer. */
type Outcome =
  | { result: unknown }
  | { error: string }
  | { obstacle: PageDialog['type'] | 'unresponsive' }
  | { /** So many tabs are open, and no more may be. */ full: number };

/**
 * `tabs.*` and `dialogs.*`: the session's tabs by Chrome's own interface, and what their pages ask, for viewers with the role
 * `chrome_apis` and for admins. The browser may be started again meanwhile: calls wait for it, subscriptions go on.
 */
export class TabCalls {
  readonly #calls: Calls;
  /** Those who subscribed with the admin token. */
  readonly #admins = new WeakSet<Viewer>();
  #browser = expected();
  /** A viewer has subscribed to an event of tabs, now or earlier. */
  #followed = false;

  constructor(calls: Calls) {
    this.#calls = calls;
    for (const method of TAB_METHODS)
      calls.add(`tabs.${method}`, mayDrive, (args) => this.#call(method, args));
    for (const event of [...TAB_EVENTS, 'onReconnected'] as const)
      calls.addEvent(`tabs.${event}`, (caller) => this.#follow(caller));
    calls.add('dialogs.list', mayDrive, async () => {
      const { driver } = await this.#browser.arrived;
      return driver.openDialogs().catch(unavailable);
    });
    calls.add('dialogs.answer', mayDrive, async ([tab, answer]) => {
      const { driver } = await this.#browser.arrived;
      const answered = await driver.answerDialog(tab, answer).catch(unavailable);
      if (!answered) throw new CallError('err_call_failed', 'This tab has no dialog open.');
    });
    for (const event of DIALOG_EVENTS) calls.addEvent(event, (caller) => this.#follow(caller));
  }

  /** There is a browser, the first one or another. */
  use(backend: TabBackend, driver: TabDriver): void {
    backend.onEvent = ({ name, args }) => {
      const event = TAB_EVENTS.find((known) => name === `tabs.${known}`);
      // The arguments are Chrome's, passed on as they are.
      if (event) this.#publish(`tabs.${event}`, args as TabEvents[typeof event]);
    };
    backend.onReopened = () => this.#publish('tabs.onReconnected', []);
    this.#browser.arrive({ backend, driver });
    if (!this.#followed) return;
    this.#followDialogs(driver);
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
    const outcome = await driver.call(method, args).catch(unavailable);
    if ('error' in outcome) throw new CallError('err_chrome', outcome.error);
    if ('full' in outcome) throw tooManyTabs(outcome.full);
    if ('obstacle' in outcome)
      throw outcome.obstacle === 'unresponsive' ? pageUnresponsive() : dialogOpen(outcome.obstacle);
    // Chrome is trusted for the form of its results.
    return outcome.result as MethodResult<`tabs.${TabMethod}`>;
  }

  #follow(caller: Caller): Promise<void> {
    mayDrive(caller);
    if (caller.viewer && caller.admin) this.#admins.add(caller.viewer);
    this.#followed = true;
    return this.#browser.arrived
      .then(({ backend, driver }) => {
        this.#followDialogs(driver);
        return backend.open();
      })
      .catch(unavailable);
  }

  #followDialogs(driver: TabDriver): void {
    driver.followDialogs(
      (dialog) => this.#publish('dialogs.onOpened', [dialog]),
      (tab) => this.#publish('dialogs.onClosed', [tab]),
    );
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

/** The browser ended meanwhile. */
function unavailable(): never {
  throw browserUnavailable();
}
