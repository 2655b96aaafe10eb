import type {
  CreateTab,
  Tab,
  TabChange,
  TabIds,
  TabPlace,
  TabQuery,
  TabWindow,
  OptionalTab,
  UpdateTab,
  ZoomSettings,
} from './tab-types.js';

/**
 * The supported methods of Chrome's `chrome.tabs`, named `tabs.<method>` in calls. They have Chrome's
 * arguments. `update` also accepts `force`, and `query` accepts `icons`.
 */
export const TAB_METHODS = [
  'create',
  'detectLanguage',
  'discard',
  'duplicate',
  'get',
  'getZoom',
  'getZoomSettings',
  'goBack',
  'goForward',
  'group',
  'highlight',
  'move',
  'query',
  'reload',
  'remove',
  'setZoom',
  'setZoomSettings',
  'ungroup',
  'update',
] as const;

/** One of {@link TAB_METHODS}. */
export type TabMethod = (typeof TAB_METHODS)[number];

/**
 * The supported events of `chrome.tabs`, named `tabs.<event>` in subscriptions. They have exactly Chrome's
 * arguments.
 */
export const TAB_EVENTS = [
  'onActivated',
  'onCreated',
  'onHighlighted',
  'onMoved',
  'onRemoved',
  'onReplaced',
  'onUpdated',
  'onZoomChange',
] as const;

/** One of {@link TAB_EVENTS}. */
export type TabEventName = (typeof TAB_EVENTS)[number];

/** The methods, by Chrome's names. */
export interface TabMethods {
  create(properties: CreateTab): Tab;
  detectLanguage(tabId?: OptionalTab): string;
  discard(tabId?: OptionalTab): Tab | undefined;
  duplicate(tabId: number): Tab | undefined;
  get(tabId: number): Tab;
  getZoom(tabId?: OptionalTab): number;
  getZoomSettings(tabId?: OptionalTab): ZoomSettings;
  goBack(tabId?: OptionalTab): void;
  goForward(tabId?: OptionalTab): void;
  group(options: { tabIds: TabIds; groupId?: number; createProperties?: { windowId?: number } }): number;
  highlight(highlight: { tabs: number | number[]; windowId?: number }): TabWindow;
  move(tabIds: TabIds, to: TabPlace): Tab | Tab[];
  query(query: TabQuery): Tab[];
  reload(tabId?: OptionalTab, options?: { bypassCache?: boolean }): void;
  remove(tabIds: TabIds): void;
  setZoom(tabId: OptionalTab, zoomFactor: number): void;
  setZoomSettings(tabId: OptionalTab, settings: ZoomSettings): void;
  ungroup(tabIds: TabIds): void;
  update(tabId: OptionalTab, properties: UpdateTab): Tab | undefined;
}

/** The arguments of the events, by Chrome's names. */
export interface TabEvents {
  onActivated: [info: { tabId: number; windowId: number }];
  onCreated: [tab: Tab];
  onHighlighted: [info: { tabIds: number[]; windowId: number }];
  onMoved: [tabId: number, info: { fromIndex: number; toIndex: number; windowId: number }];
  onRemoved: [tabId: number, info: { isWindowClosing: boolean; windowId: number }];
  onReplaced: [addedTabId: number, removedTabId: number];
  onUpdated: [tabId: number, change: TabChange, tab: Tab];
  onZoomChange: [
    info: { tabId: number; oldZoomFactor: number; newZoomFactor: number; zoomSettings: ZoomSettings },
  ];
  /**
   * The process that controls the tabs was restarted, alone or with the browser. Chrome does not have this
   * event. Subscriptions continue, but events directly before it may be missing. After a restart of the
   * browser, tabs have other ids.
   */
  onReconnected: [];
}
