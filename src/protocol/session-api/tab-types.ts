/** A tab's id. Without a value, the method uses the active tab. `discard` lets Chrome choose the tab. */
export type OptionalTab = number | null | undefined;

/** One tab or several. */
export type TabIds = number | number[];

/** Target position of a tab. Index -1 is the end of the window. */
export interface TabPlace {
  index: number;
  windowId?: number;
}

/** The changed properties of a tab. */
export interface TabChange {
  status?: 'unloaded' | 'loading' | 'complete';
  url?: string;
  title?: string;
  favIconUrl?: string;
  pinned?: boolean;
  audible?: boolean;
  discarded?: boolean;
  autoDiscardable?: boolean;
  groupId?: number;
  mutedInfo?: { muted: boolean; reason?: string; extensionId?: string };
}

/**
 * A tab as Chrome describes it. May have more properties than these, because Chrome's object is passed on
 * unchanged.
 */
export interface Tab extends TabChange {
  /** Unique until the hosted browser restarts. */
  id?: number;
  index: number;
  windowId: number;
  groupId: number;
  openerTabId?: number;
  active: boolean;
  highlighted: boolean;
  pinned: boolean;
  discarded: boolean;
  autoDiscardable: boolean;
  incognito: boolean;
  /**
   * The icon of the page as the `data:` address of a PNG image that the hosted browser has drawn. Only in the
   * result of a query with `icons`, and only if the page has an icon. Chrome's own API does not have this
   * property.
   */
  icon?: string;
  /** The address to which the tab navigates. */
  pendingUrl?: string;
  /** Milliseconds since 1970. */
  lastAccessed?: number;
  /** Size in pixels. */
  width?: number;
  height?: number;
}

/** A window of the hosted browser, with the properties that `highlight` returns. */
export interface TabWindow {
  id?: number;
  focused: boolean;
  incognito: boolean;
  tabs?: Tab[];
}

/** Argument of `create`. `url` is an http:, https: or about: URL, `chrome://newtab`, or a domain. */
export interface CreateTab {
  url?: string;
  active?: boolean;
  index?: number;
  windowId?: number;
  openerTabId?: number;
  pinned?: boolean;
}

/** Argument of `update`. `url` is as in {@link CreateTab}. */
export interface UpdateTab {
  url?: string;
  active?: boolean;
  highlighted?: boolean;
  muted?: boolean;
  pinned?: boolean;
  openerTabId?: number;
  autoDiscardable?: boolean;
  /**
   * Only with `url`. Chrome's own API does not have this property. If true, and a dialog or an unresponsive
   * page blocks the navigation, the page's process is ended first. Data that a user entered in the page is
   * lost.
   */
  force?: boolean;
}

/** Argument of `query`. A tab matches if all given conditions are true. */
export interface TabQuery {
  active?: boolean;
  audible?: boolean;
  autoDiscardable?: boolean;
  currentWindow?: boolean;
  discarded?: boolean;
  groupId?: number;
  highlighted?: boolean;
  /** True to add `icon` to the tabs of the result. Chrome's own API does not have this property. */
  icons?: boolean;
  index?: number;
  lastFocusedWindow?: boolean;
  muted?: boolean;
  pinned?: boolean;
  status?: 'unloaded' | 'loading' | 'complete';
  /** Pattern for the title, as in `chrome.tabs.query`. */
  title?: string;
  /** Match patterns, such as `https://*.example.com/*`. */
  url?: string | string[];
  windowId?: number;
}

/** Zoom settings of a tab. */
export interface ZoomSettings {
  mode?: 'automatic' | 'manual' | 'disabled';
  scope?: 'per-origin' | 'per-tab';
  defaultZoomFactor?: number;
}
