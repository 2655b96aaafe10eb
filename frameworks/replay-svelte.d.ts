/** `<cloud-browser-replay>` for Svelte 5: registers the element, and types it in markup. */
import type { HTMLAttributes } from 'svelte/elements';
import type {
  CloudBrowserReplayAttributes,
  CloudBrowserReplayElement,
  CloudBrowserReplayListeners,
  CloudBrowserReplayProps,
} from '../dist/replay/define.js';

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'cloud-browser-replay': Omit<
      HTMLAttributes<CloudBrowserReplayElement>,
      keyof CloudBrowserReplayListeners
    > &
      CloudBrowserReplayProps &
      CloudBrowserReplayAttributes &
      CloudBrowserReplayListeners;
  }
}

export * from '../dist/replay/define.js';
