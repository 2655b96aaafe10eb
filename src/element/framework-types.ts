import type { Fit } from '../core/index.js';
import type { ResizeMode } from '../viewer/index.js';
import type { CloudBrowserElement } from './cloud-browser.js';
import type { DEFAULTS } from './element-properties.js';
import type { CloudBrowserEventMap } from './events.js';
import type { AccessibilityMode } from './mirror/mirror-owner.js';

/** A value that may not be available yet. Null and undefined mean the default. */
type Maybe<Value> = Value | null | undefined;

/** Properties of the element as a framework's template sets them. */
export type CloudBrowserProps = {
  [Name in keyof typeof DEFAULTS | 'adminToken' | 'userdata']?: Maybe<CloudBrowserElement[Name]>;
};

/**
 * Attributes of the element in markup. The types of `label`, `muted` and `volume` are in `CloudBrowserProps`.
 */
export interface CloudBrowserAttributes {
  'embed-url'?: Maybe<string>;
  fit?: Maybe<Fit>;
  resize?: Maybe<ResizeMode>;
  'view-only'?: Maybe<boolean>;
  'video-paused'?: Maybe<boolean>;
  'delegate-keyboard'?: Maybe<boolean>;
  'keyboard-button'?: Maybe<boolean>;
  accessibility?: Maybe<AccessibilityMode>;
  'admin-token'?: Maybe<string>;
}

/** An event of the element with a typed `currentTarget`. */
export type CloudBrowserEventOf<Type extends keyof CloudBrowserEventMap> = CloudBrowserEventMap[Type] & {
  readonly currentTarget: CloudBrowserElement;
};

/** Event listeners for React and Svelte, for example `onconnect` and `onstatechange`. */
export type CloudBrowserListeners = {
  [Type in keyof CloudBrowserEventMap as `on${Type}`]?: Maybe<(event: CloudBrowserEventOf<Type>) => void>;
};
