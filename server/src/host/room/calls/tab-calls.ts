import { TAB_EVENTS, TAB_METHODS, TABS_RECONNECTED, type TabMethod } from 'cloud-browser/protocol';
import { browserUnavailable, CallError, type Caller, type Calls } from './calls.js';
import { requireRole } from './require-role.js';
import { hasRole } from '../users/rights.js';
import { withSafeAddresses } from './tab-addresses.js';
import type { Viewer } from '../viewer.js';

const ROLE = 'chrome_apis';

/** The way into the browser; see `Bridge`. */
export interface TabBackend {
  onEvent: ((event: { name: string; args: unknown[] }) => void) | undefined;
  onReopened: (() => void) | undefined;
  open(): Promise<void>;
  call(name: 'callTabs', method: TabMethod, args: readonly unknown[]): Promise<unknown>;
}

/** The outcome of a method, as the worker tells it. */
type Outcome = { result?: unknown } | { error: string };

/**
 * `tabs.*`: the session's tabs by Chrome's own interface, for viewers with the role `chrome_apis` and for admins. The browser may
 * be started again meanwhile: calls wait for it, subscriptions go on.
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
      calls.add(`tabs.${method}`, (args, caller) => this.#call(method, args, caller));
    for (const name of [...TAB_EVENTS.map((event) => `tabs.${event}`), TABS_RECONNECTED])
      calls.addEvent(name, (caller) => this.#follow(caller));
  }

  /** There is a browser, the first one or another. */
  use(backend: TabBackend): void {
    backend.onEvent = ({ name, args }) => this.#publish(name, args);
    backend.onReopened = () => this.#publish(TABS_RECONNECTED, []);
    this.#browser.arrived(backend);
    if (!this.#followed) return;
    backend.open().then(
      () => this.#publish(TABS_RECONNECTED, []),
      // It ended again: the next one comes here too.
      () => undefined,
    );
  }

  /** Calls wait for the next one from now on. */
  browserIsGone(): void {
    this.#browser = expected();
  }

  async #call(method: TabMethod, args: readonly unknown[], caller: Caller): Promise<unknown> {
    requireRole(caller, ROLE);
    const safe = withSafeAddresses(method, args);
    const backend = await this.#browser.backend;
    const outcome = (await backend.call('callTabs', method, safe).catch(unavailable)) as Outcome;
    if ('error' in outcome) throw new CallError('err_chrome', outcome.error);
    return outcome.result;
  }

  #follow(caller: Caller): Promise<void> {
    requireRole(caller, ROLE);
    if (caller.viewer && caller.admin) this.#admins.add(caller.viewer);
    this.#followed = true;
    return this.#browser.backend.then((backend) => backend.open()).catch(unavailable);
  }

  #publish(name: string, args: unknown[]): void {
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
