/** Registers `<cloud-browser>`. Registers nothing in Node, or if the element is already registered. */
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

if (typeof customElements !== 'undefined' && !customElements.get('cloud-browser')) {
  customElements.define('cloud-browser', CloudBrowserElement);
}

declare global {
  interface HTMLElementTagNameMap {
    'cloud-browser': CloudBrowserElement;
  }
}
