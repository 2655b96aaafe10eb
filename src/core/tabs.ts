import { TABS_RECONNECTED, type TabMethod } from '../protocol/index.js';
import type { Remote } from './remote.js';
import { TabEvent } from './tab-event.js';
import type { CreateTab, Tab, TabEvents, TabQuery, TabWindow, UpdateTab, ZoomSettings } from './tab-types.js';

/** A tab's number; nothing stands for the tab in front. */
export type OptionalTab = number | null | undefined;

/**
 * The tabs of the hosted browser: the methods and events of Chrome's `chrome.tabs` under their own names. They need the role
 * `chrome_apis` or the admin token. Methods reject as `remote.call` does; what Chrome refuses has the code `err_chrome` and
 * Chrome's own message.
 */
export class Tabs {
  readonly onActivated: TabEvent<TabEvents['onActivated']>;
  readonly onCreated: TabEvent<TabEvents['onCreated']>;
  readonly onHighlighted: TabEvent<TabEvents['onHighlighted']>;
  readonly onMoved: TabEvent<TabEvents['onMoved']>;
  readonly onRemoved: TabEvent<TabEvents['onRemoved']>;
  readonly onReplaced: TabEvent<TabEvents['onReplaced']>;
  readonly onUpdated: TabEvent<TabEvents['onUpdated']>;
  readonly onZoomChange: TabEvent<TabEvents['onZoomChange']>;
  /** Events may have been missed, and after a restart of the browser tabs have other numbers: ask again. */
  readonly onReconnected: TabEvent<TabEvents['onReconnected']>;
  readonly #remote: Remote;

  /** @internal */
  constructor(remote: Remote) {
    this.#remote = remote;
    this.onActivated = new TabEvent(remote, 'tabs.onActivated');
    this.onCreated = new TabEvent(remote, 'tabs.onCreated');
    this.onHighlighted = new TabEvent(remote, 'tabs.onHighlighted');
    this.onMoved = new TabEvent(remote, 'tabs.onMoved');
    this.onRemoved = new TabEvent(remote, 'tabs.onRemoved');
    this.onReplaced = new TabEvent(remote, 'tabs.onReplaced');
    this.onUpdated = new TabEvent(remote, 'tabs.onUpdated');
    this.onZoomChange = new TabEvent(remote, 'tabs.onZoomChange');
    this.onReconnected = new TabEvent(remote, TABS_RECONNECTED);
  }

  create(properties: CreateTab): Promise<Tab> {
    return this.#call('create', properties);
  }

  /** The language of the page, such as `en`; `und` when it cannot be told. */
  detectLanguage(tabId?: OptionalTab): Promise<string> {
    return this.#call('detectLanguage', tabId);
  }

  /** Frees a tab's memory; it gets another number, see `onReplaced`. Without a number Chrome chooses the tab. */
  discard(tabId?: OptionalTab): Promise<Tab | undefined> {
    return this.#call('discard', tabId);
  }

  duplicate(tabId: number): Promise<Tab | undefined> {
    return this.#call('duplicate', tabId);
  }

  get(tabId: number): Promise<Tab> {
    return this.#call('get', tabId);
  }

  /** 1 is 100 %. */
  getZoom(tabId?: OptionalTab): Promise<number> {
    return this.#call('getZoom', tabId);
  }

  getZoomSettings(tabId?: OptionalTab): Promise<ZoomSettings> {
    return this.#call('getZoomSettings', tabId);
  }

  goBack(tabId?: OptionalTab): Promise<void> {
    return this.#call('goBack', tabId);
  }

  goForward(tabId?: OptionalTab): Promise<void> {
    return this.#call('goForward', tabId);
  }

  /** Resolves to the number of the group. */
  group(options: {
    tabIds: number | number[];
    groupId?: number;
    createProperties?: { windowId?: number };
  }): Promise<number> {
    return this.#call('group', options);
  }

  /** `tabs` are places in the window, from 0. */
  highlight(highlight: { tabs: number | number[]; windowId?: number }): Promise<TabWindow> {
    return this.#call('highlight', highlight);
  }

  move(tabId: number, to: { index: number; windowId?: number }): Promise<Tab>;
  move(tabIds: number[], to: { index: number; windowId?: number }): Promise<Tab | Tab[]>;
  /** Index -1 is the end. */
  move(tabIds: number | number[], to: { index: number; windowId?: number }): Promise<Tab | Tab[]> {
    return this.#call('move', tabIds, to);
  }

  query(query: TabQuery): Promise<Tab[]> {
    return this.#call('query', query);
  }

  reload(tabId?: OptionalTab, options?: { bypassCache?: boolean }): Promise<void> {
    return this.#call('reload', tabId, options);
  }

  remove(tabIds: number | number[]): Promise<void> {
    return this.#call('remove', tabIds);
  }

  /** 0 is the default zoom. */
  setZoom(tabId: OptionalTab, zoomFactor: number): Promise<void> {
    return this.#call('setZoom', tabId, zoomFactor);
  }

  setZoomSettings(tabId: OptionalTab, settings: ZoomSettings): Promise<void> {
    return this.#call('setZoomSettings', tabId, settings);
  }

  ungroup(tabIds: number | number[]): Promise<void> {
    return this.#call('ungroup', tabIds);
  }

  /** `{ active: true }` brings a tab to the front, `{ url }` goes somewhere. */
  update(tabId: OptionalTab, properties: UpdateTab): Promise<Tab | undefined> {
    return this.#call('update', tabId, properties);
  }

  /** What is left out in the middle goes as null, which Chrome takes for left out too. */
  #call<T>(method: TabMethod, ...args: unknown[]): Promise<T> {
    while (args.length > 0 && args.at(-1) === undefined) args.pop();
    return this.#remote.call(`tabs.${method}`, args) as Promise<T>;
  }
}
