/** `<cloud-browser>` for Svelte 5: registers the element, and types it in markup. */
import type { HTMLAttributes } from 'svelte/elements';
import type {
  CloudBrowserAttributes,
  CloudBrowserElement,
  CloudBrowserListeners,
  CloudBrowserProps,
} from '../dist/element/define.js';

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'cloud-browser': Omit<HTMLAttributes<CloudBrowserElement>, keyof CloudBrowserListeners> &
      CloudBrowserProps &
      CloudBrowserAttributes &
      CloudBrowserListeners;
  }
}

export * from '../dist/element/define.js';
