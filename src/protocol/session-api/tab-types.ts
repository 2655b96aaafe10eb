/** A tab's number; nothing stands for the tab in front. */
export type OptionalTab = number | null | undefined;

/** One tab or several. */
export type TabIds = number | number[];

/** Where a tab goes; index -1 is the end of the window. */
export interface TabPlace {
  index: number;
  windowId?: number;
}

/** What changed about a tab. */
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

/** A tab as Chrome describes it; what is not listed here comes as Chrome sends it. */
export interface Tab extends TabChange {
  /** Unique in one run of the hosted browser. */
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
  /** Where it is going. */
  pendingUrl?: string;
  /** Milliseconds since 1970. */
  lastAccessed?: number;
  /** Pixels. */
  width?: number;
  height?: number;
}

/** A window of the hosted browser, as far as `highlight` answers it. */
export interface TabWindow {
  id?: number;
  focused: boolean;
  incognito: boolean;
  tabs?: Tab[];
}

/** For `create`. Addresses are complete ones of http:, https: or about:. */
export interface CreateTab {
  url?: string;
  active?: boolean;
  index?: number;
  windowId?: number;
  openerTabId?: number;
  pinned?: boolean;
}

/** For `update`. */
export interface UpdateTab {
  url?: string;
  active?: boolean;
  highlighted?: boolean;
  muted?: boolean;
  pinned?: boolean;
  openerTabId?: number;
  autoDiscardable?: boolean;
  /**
   * Not Chrome's, with `url`: where a dialog or a page that does not answer stands in the way, the page's process is ended first.
   * What was entered there is lost.
   */
  force?: boolean;
}

/** For `query`: only tabs of which all this is true. */
export interface TabQuery {
  active?: boolean;
  audible?: boolean;
  autoDiscardable?: boolean;
  currentWindow?: boolean;
  discarded?: boolean;
  groupId?: number;
  highlighted?: boolean;
  index?: number;
  lastFocusedWindow?: boolean;
  muted?: boolean;
  pinned?: boolean;
  status?: 'unloaded' | 'loading' | 'complete';
  /** A pattern. */
  title?: string;
  /** Match patterns, such as `https://*.example.com/*`. */
  url?: string | string[];
  windowId?: number;
}

/** How a tab is zoomed. */
export interface ZoomSettings {
  mode?: 'automatic' | 'manual' | 'disabled';
  scope?: 'per-origin' | 'per-tab';
  defaultZoomFactor?: number;
}
