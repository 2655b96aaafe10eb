/** Registers `<cloud-browser>`. Registers nothing on servers, or if the element is already registered. */
/// <reference lib="dom" preserve="true" />
import { CloudBrowserElement } from './cloud-browser.js';

export { CloudBrowserElement } from './cloud-browser.js';
export * from './events.js';
export type {
  CloudBrowserAttributes,
  CloudBrowserEventOf,
  CloudBrowserListeners,
  CloudBrowserProps,
} from './framework-types.js';
export { TEXTS } from './lang/built-in.js';
export { addTranslation } from './lang/registry.js';
export type { ElementTexts, TextKey, Texts } from './lang/texts.js';

// In Node, Lit makes a registry of its own. Renderers on servers would then run the element.
if (typeof document !== 'undefined' && !customElements.get('cloud-browser')) {
  customElements.define('cloud-browser', CloudBrowserElement);
}

declare global {
  interface HTMLElementTagNameMap {
    'cloud-browser': CloudBrowserElement;
  }
}
