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
import { canUse } from '../../room/users/can-use.js';
import { forRole, type Caller } from '../../room/calls/access.js';
import { noArguments } from '../../room/calls/arguments.js';
import { PROCESS, QUESTION, WORK, type CallCost } from '../../room/calls/call-lane.js';
import {
  browserUnavailable,
  CallError,
  dialogOpen,
  inPrivacyMode,
  pageUnresponsive,
  tooManyTabs,
} from '../../room/calls/call-error.js';
import type { Calls } from '../../room/calls/calls.js';
import { answerOf, withSafeAddress } from './tab-arguments.js';
import { withShortTexts } from './tab-texts.js';
import { TitleUpdates } from './title-updates.js';

const ROLE = 'chrome_apis';
const mayDrive = forRole(ROLE);
const DIALOG_EVENTS = ['dialogs.onOpened', 'dialogs.onClosed'] as const;

const NAVIGATES: ReadonlySet<TabMethod> = new Set(['create', 'update']);
const STARTS_PROCESS: ReadonlySet<TabMethod> = new Set(['create', 'duplicate']);
const WORKS: ReadonlySet<TabMethod> = new Set([
  ...(['discard', 'goBack', 'goForward', 'move', 'reload', 'remove', 'setZoom', 'update'] as const),
]);

/** Methods that only read. All other methods act. */
const READS: ReadonlySet<TabMethod> = new Set([
  'detectLanguage',
  'get',
  'getZoom',
  'getZoomSettings',
  'query',
]);

const costOf = (method: TabMethod): CallCost =>
  STARTS_PROCESS.has(method) ? PROCESS : WORKS.has(method) ? WORK : QUESTION;

/** Returns a function that checks the addresses in the arguments. Chrome checks all other arguments. */
const checkOf = (method: TabMethod) => (args: readonly unknown[]) =>
  NAVIGATES.has(method) ? args.map(withSafeAddress) : args;

/** Source of tab events; see `Bridge`. */
export interface TabBackend {
  onEvent: ((event: { name: string; args: unknown[] }) => void) | undefined;
  onReopened: (() => void) | undefined;
  open(): Promise<void>;
}

/** Carries out methods of tabs; see `TabDriver` of the browser. */
export interface TabActions {
  call(method: TabMethod, args: readonly unknown[]): Promise<Outcome>;
  followDialogs(onOpened: (dialog: TabDialog) => void, onClosed: (tab: number) => void): void;
  openDialogs(): Promise<TabDialog[]>;
  answerDialog(tab: number, answer: DialogAnswer): Promise<boolean>;
}

/**
 * Result of a tab method: Chrome's answer, or an obstacle. An obstacle is the type of the page's open dialog,
 * or `unresponsive` if the page does not answer.
 */
type Outcome =
  | { result: unknown }
  | { error: string }
  | { obstacle: PageDialog['type'] | 'unresponsive' }
  | { /** Maximum number of tabs. The session has this many open tabs already. */ full: number };

/**
 * Methods and events `tabs.*` and `dialogs.*`: the session's tabs through Chrome's own API, and the dialogs
 * of their pages. Only viewers with the role `chrome_apis` and admins may use them. During a restart of the
 * browser, calls wait and subscriptions continue.
 */
export class TabCalls {
  readonly #calls: Calls;
  #browser = expected();
  /** True after the first subscription to an event of tabs or of dialogs. */
  #followed = false;
  readonly #updates = new TitleUpdates((update) => this.#publish('tabs.onUpdated', update));

  /** @param isPrivate returns true while a user is in privacy mode */
  constructor(
    calls: Calls,
    private readonly isPrivate: () => boolean = () => false,
  ) {
    this.#calls = calls;
    for (const method of TAB_METHODS)
      calls.add(
        `tabs.${method}`,
        { access: mayDrive, check: checkOf(method), cost: costOf(method) },
        (args, caller) =>
          this.#use(
            caller,
            (driver) => this.#call(driver, method, args),
            READS.has(method) ? undefined : withoutPages,
          ),
      );
    for (const event of [...TAB_EVENTS, 'onReconnected'] as const)
      calls.addEvent(`tabs.${event}`, (caller) => this.#follow(caller));
    calls.add('dialogs.list', { access: mayDrive, check: noArguments }, (_, caller) =>
      this.#use(caller, (driver) => driver.openDialogs().catch(unavailable)),
    );
    calls.add('dialogs.answer', { access: mayDrive, check: answerOf }, async ([tab, answer], caller) => {
      const answered = await this.#use(
        caller,
        (driver) => driver.answerDialog(tab, answer).catch(unavailable),
        (result) => result,
      );
      if (!answered) throw new CallError('err_call_failed', 'This tab has no dialog open.');
    });
    for (const event of DIALOG_EVENTS) calls.addEvent(event, (caller) => this.#follow(caller));
  }

  /** Uses a browser that has started, for the first time or again. */
  use(backend: TabBackend, driver: TabActions): void {
    backend.onEvent = ({ name, args: sent }) => {
      const event = TAB_EVENTS.find((known) => name === `tabs.${known}`);
      const args = sent.map(withShortTexts);
      // The arguments come from Chrome. Their types are not checked.
      if (event === 'onUpdated') return this.#updates.add(args as TabEvents[typeof event]);
      if (event) this.#publish(`tabs.${event}`, args as TabEvents[typeof event]);
      if (event === 'onRemoved') this.#updates.forget(Number(args[0]));
      // The arguments are the new tab and the tab that it replaces.
      if (event === 'onReplaced') this.#updates.forget(Number(args[1]));
    };
    backend.onReopened = () => this.#publish('tabs.onReconnected', []);
    this.#browser.arrive({ backend, driver });
    if (!this.#followed) return;
    this.#followDialogs(driver);
    backend.open().then(
      () => this.#publish('tabs.onReconnected', []),
      // The browser has ended again. This method is called again with the next browser.
      () => undefined,
    );
  }

  /** Makes calls wait for the next browser. */
  browserIsGone(): void {
    this.#browser = expected();
    this.#updates.clear();
  }

  /**
   * Uses the browser for a caller with the role. Refuses programs while a user is in privacy mode.
   *
   * @param afterwards used if the caller has lost the right to use the browser during the call. Removes from
   *   the result everything that the caller may not see. Absent for a call that only reads. Such a call is
   *   then refused
   */
  async #use<T>(
    caller: Caller,
    use: (driver: TabActions) => Promise<T>,
    afterwards?: (result: T) => T,
  ): Promise<T> {
    const check = () => {
      mayDrive(caller);
      if (caller.program && this.isPrivate()) throw inPrivacyMode();
    };
    check();
    const { driver } = await this.#browser.arrived;
    // During each wait, privacy mode may have begun, or the caller may have lost the role.
    check();
    const result = await use(driver);
    try {
      check();
      return result;
    } catch (error) {
      // The browser has carried out the action, so the answer must not say that it was refused.
      if (afterwards) return afterwards(result);
      throw error;
    }
  }

  async #call(
    driver: TabActions,
    method: TabMethod,
    args: readonly unknown[],
  ): Promise<MethodResult<`tabs.${TabMethod}`>> {
    const outcome = await driver.call(method, args).catch(unavailable);
    // The waiting events are older than the answer.
    this.#updates.flush();
    if ('error' in outcome) throw new CallError('err_chrome', outcome.error);
    if ('full' in outcome) throw tooManyTabs(outcome.full);
    if ('obstacle' in outcome)
      throw outcome.obstacle === 'unresponsive' ? pageUnresponsive() : dialogOpen(outcome.obstacle);
    // The types of Chrome's results are not checked.
    return withShortTexts(outcome.result) as MethodResult<`tabs.${TabMethod}`>;
  }

  #follow(caller: Caller): Promise<void> {
    mayDrive(caller);
    this.#followed = true;
    return this.#browser.arrived
      .then(({ backend, driver }) => {
        this.#followDialogs(driver);
        return backend.open();
      })
      .catch(unavailable);
  }

  #followDialogs(driver: TabActions): void {
    driver.followDialogs(
      (dialog) => this.#publish('dialogs.onOpened', [dialog]),
      (tab) => this.#publish('dialogs.onClosed', [tab]),
    );
  }

  #publish<Event extends `tabs.${keyof TabEvents}` | (typeof DIALOG_EVENTS)[number]>(
    name: Event,
    args: SessionEvents[Event],
  ): void {
    // The waiting events have older tabs, for example with an old `active` or `index`.
    if (name !== 'tabs.onUpdated') this.#updates.flush();
    this.#calls.publish(name, args, (viewer) => canUse(viewer, ROLE));
  }
}

/**
 * Properties of tabs that show which pages are open. Chrome hides the same properties from extensions without
 * the permission `tabs`.
 */
const PAGE_PROPERTIES: ReadonlySet<string> = new Set(['url', 'pendingUrl', 'title', 'favIconUrl', 'icon']);

/** Returns a result of Chrome without {@link PAGE_PROPERTIES}, also within lists and other objects. */
function withoutPages<T>(result: T): T {
  if (result === undefined) return result;
  const text = JSON.stringify(result, (key, value: unknown) =>
    PAGE_PROPERTIES.has(key) ? undefined : value,
  );
  return JSON.parse(text) as T;
}

/** The functions of a running browser that this class uses. */
interface Browser {
  backend: TabBackend;
  driver: TabActions;
}

function expected(): { arrived: Promise<Browser>; arrive: (browser: Browser) => void } {
  let arrive: (browser: Browser) => void = () => undefined;
  const arrived = new Promise<Browser>((resolve) => (arrive = resolve));
  return { arrived, arrive };
}

/** Throws the error for a browser that has ended. */
function unavailable(): never {
  throw browserUnavailable();
}
