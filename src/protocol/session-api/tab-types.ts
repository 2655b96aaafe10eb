/** A tab's id. Without a value: the active tab. */
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

/** A tab as Chrome describes it. Other properties come as Chrome sends them. */
export interface Tab extends TabChange {
  /** Unique during one run of the hosted browser. */
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
  /** The address to which it navigates. */
  pendingUrl?: string;
  /** Milliseconds since 1970. */
  lastAccessed?: number;
  /** Pixels. */
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

/** For `create`. Addresses are absolute URLs with http:, https: or about:. */
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
   * Used with `url`. Chrome does not have it. If a dialog or an unresponsive page blocks the navigation, the
   * page's process is ended first. Data entered there is lost.
   */
  force?: boolean;
}

/** For `query`: a tab matches if all conditions are true. */
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

/** Zoom settings of a tab. */
export interface ZoomSettings {
  mode?: 'automatic' | 'manual' | 'disabled';
  scope?: 'per-origin' | 'per-tab';
  defaultZoomFactor?: number;
}
