import {
  TAB_EVENTS,
  TAB_METHODS,
  type MethodResult,
  type SessionEvents,
  type TabEvents,
  type TabMethod,
} from 'cloud-browser/protocol';
import { hasRole } from '../users/rights.js';
import type { Viewer } from '../viewer.js';
import { forRole, type Caller } from './access.js';
import { browserUnavailable, CallError } from './call-error.js';
import type { Calls } from './calls.js';

const ROLE = 'chrome_apis';
const mayDrive = forRole(ROLE);

/** The way into the browser; see `Bridge`. */
export interface TabBackend {
  onEvent: ((event: { name: string; args: unknown[] }) => void) | undefined;
  onReopened: (() => void) | undefined;
  open(): Promise<void>;
  call(name: 'callTabs', method: TabMethod, args: readonly unknown[]): Promise<unknown>;
}

/** The outcome of a method, as the worker tells it. */
type Outcome = { result: MethodResult<`tabs.${TabMethod}`> } | { error: string };

/**
 * `tabs.*`: the session's tabs by Chrome's own interface, for viewers with the role `chrome_apis` and for admins. The browser may
 * be started again meanwhile: calls wait for it, subscriptions go on.
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
  }

  /** There is a browser, the first one or another. */
  use(backend: TabBackend): void {
    backend.onEvent = ({ name, args }) => {
      const event = TAB_EVENTS.find((known) => name === `tabs.${known}`);
      // The arguments are Chrome's, passed on as they are.
      if (event) this.#publish(`tabs.${event}`, args as TabEvents[typeof event]);
    };
    backend.onReopened = () => this.#publish('tabs.onReconnected', []);
    this.#browser.arrived(backend);
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
    const backend = await this.#browser.backend;
    const outcome = (await backend.call('callTabs', method, args).catch(unavailable)) as Outcome;
    if ('error' in outcome) throw new CallError('err_chrome', outcome.error);
    return outcome.result;
  }

  #follow(caller: Caller): Promise<void> {
    mayDrive(caller);
    if (caller.viewer && caller.admin) this.#admins.add(caller.viewer);
    this.#followed = true;
    return this.#browser.backend.then((backend) => backend.open()).catch(unavailable);
  }

  #publish<Event extends `tabs.${keyof TabEvents}`>(name: Event, args: SessionEvents[Event]): void {
    this.#calls.publish(name, args, (viewer) => this.#admins.has(viewer) || hasRole(viewer.rights, ROLE));
  }
}

function unavailable(): never {
  throw browserUnavailable();
}

/** A backend that is to come. */
function expected(): { backend: Promise<TabBackend>; arrived: (backend: TabBackend) => void } {
  let arrived: (backend: TabBackend) => void = () => undefined;
  const backend = new Promise<TabBackend>((resolve) => (arrived = resolve));
  return { backend, arrived };
}
