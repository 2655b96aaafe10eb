import type { CloudBrowserReplayElement } from './cloud-browser-replay.js';
import type { CloudBrowserReplayEventMap } from './replay-element-events.js';
import type { REPLAY_DEFAULTS } from './replay-properties.js';

/** A value that may not be available yet. Null and undefined mean the default. */
type Maybe<Value> = Value | null | undefined;

/** Properties of `<cloud-browser-replay>` as a framework's template sets them. */
export type CloudBrowserReplayProps = {
  [Name in keyof typeof REPLAY_DEFAULTS]?: Maybe<CloudBrowserReplayElement[Name]>;
};

/** Attributes of the element in markup, where their names differ from the properties. */
export interface CloudBrowserReplayAttributes {
  'skip-idle'?: Maybe<boolean>;
  'event-list'?: Maybe<boolean>;
}

/** An event of the element with a typed `currentTarget`. */
export type CloudBrowserReplayEventOf<Type extends keyof CloudBrowserReplayEventMap> =
  CloudBrowserReplayEventMap[Type] & { readonly currentTarget: CloudBrowserReplayElement };

/** Event listeners for React and Svelte. */
export type CloudBrowserReplayListeners = {
  [Type in keyof CloudBrowserReplayEventMap as `on${Type}`]?: Maybe<
    (event: CloudBrowserReplayEventOf<Type>) => void
  >;
};
