/** The methods of Chrome's `chrome.tabs` that a session has, as calls `tabs.<method>` with exactly Chrome's arguments. */
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

/** The events of `chrome.tabs` that a session has, as events `tabs.<event>` with exactly Chrome's arguments. */
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

/**
 * An event without arguments: what drives the tabs was started again, alone or with the browser. Subscriptions go on by
 * themselves; events of the moments before may be missing, and after a restart of the browser tabs have other ids.
 */
export const TABS_RECONNECTED = 'tabs.onReconnected';
