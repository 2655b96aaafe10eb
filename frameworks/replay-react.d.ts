/** `<cloud-browser-replay>` for React 19: registers the element, and types it in JSX. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type {
  CloudBrowserReplayAttributes,
  CloudBrowserReplayElement,
  CloudBrowserReplayListeners,
  CloudBrowserReplayProps,
} from '../dist/replay/define.js';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'cloud-browser-replay': DetailedHTMLProps<
        HTMLAttributes<CloudBrowserReplayElement>,
        CloudBrowserReplayElement
      > &
        CloudBrowserReplayProps &
        CloudBrowserReplayAttributes &
        CloudBrowserReplayListeners;
    }
  }
}

export * from '../dist/replay/define.js';
