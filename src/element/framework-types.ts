import type { Fit } from '../core/index.js';
import type { ResizeMode } from '../viewer/index.js';
import type { CloudBrowserElement } from './cloud-browser.js';
import type { DEFAULTS } from './element-properties.js';
import type { CloudBrowserEventMap } from './events.js';
import type { AccessibilityMode } from './mirror-owner.js';

/** A value that may not be known yet; null and undefined stand for the default. */
type Maybe<Value> = Value | null | undefined;

/** The element's properties as a framework's template sets them. */
export type CloudBrowserProps = {
  [Name in keyof typeof DEFAULTS | 'adminToken' | 'userdata']?: Maybe<CloudBrowserElement[Name]>;
};

/** The element's attributes as markup has them, where their names are not those of properties. */
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

/** An event of the element as its own listener gets it. */
export type CloudBrowserEventOf<Type extends keyof CloudBrowserEventMap> = CloudBrowserEventMap[Type] & {
  readonly currentTarget: CloudBrowserElement;
};

/** Listeners as React and Svelte take them: `onconnect`, `onstatechange`. */
export type CloudBrowserListeners = {
  [Type in keyof CloudBrowserEventMap as `on${Type}`]?: Maybe<(event: CloudBrowserEventOf<Type>) => void>;
};
