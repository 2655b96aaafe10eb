/** `<cloud-browser>` for React 19: registers the element, and types it in JSX. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type {
  CloudBrowserAttributes,
  CloudBrowserElement,
  CloudBrowserListeners,
  CloudBrowserProps,
} from '../dist/element/define.js';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'cloud-browser': DetailedHTMLProps<HTMLAttributes<CloudBrowserElement>, CloudBrowserElement> &
        CloudBrowserProps &
        CloudBrowserAttributes &
        CloudBrowserListeners;
    }
  }
}

export * from '../dist/element/define.js';
