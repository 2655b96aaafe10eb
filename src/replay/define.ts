/** Registers `<cloud-browser-replay>`. Does nothing on servers, or if the element is already registered. */
/// <reference lib="dom" preserve="true" />
import { CloudBrowserReplayElement } from './cloud-browser-replay.js';

export { CloudBrowserReplayElement } from './cloud-browser-replay.js';
export { ReplayErrorEvent, ReplayStateEvent } from './replay-element-events.js';
export type { CloudBrowserReplayEventMap } from './replay-element-events.js';
export type {
  CloudBrowserReplayAttributes,
  CloudBrowserReplayEventOf,
  CloudBrowserReplayListeners,
  CloudBrowserReplayProps,
} from './framework-types.js';
export { ReplayError, type ReplayFailure } from './loading/recording-data.js';
export type { ReplayEvent } from './replay-events.js';
export type { ReplayState } from './views/replay-status-view.js';
export { addTranslation } from '../element/lang/registry.js';
export type { ElementTexts, TextKey, Texts } from '../element/lang/texts.js';

// In Node, Lit makes a registry of its own. Renderers on servers would then run the element.
if (typeof document !== 'undefined' && !customElements.get('cloud-browser-replay')) {
  customElements.define('cloud-browser-replay', CloudBrowserReplayElement);
}

declare global {
  interface HTMLElementTagNameMap {
    'cloud-browser-replay': CloudBrowserReplayElement;
  }
}
