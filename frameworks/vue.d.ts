/** `<cloud-browser>` for Vue 3: registers the element, and types it in templates. */
import type { EmitFn, HTMLAttributes, PublicProps } from 'vue';
import type {
  CloudBrowserAttributes,
  CloudBrowserElement,
  CloudBrowserEventMap,
  CloudBrowserEventOf,
  CloudBrowserProps,
} from '../dist/element/define.js';

/** Listeners as `@connect` has them. */
type Emits = { [Type in keyof CloudBrowserEventMap]: (event: CloudBrowserEventOf<Type>) => void };

declare module 'vue' {
  interface GlobalComponents {
    'cloud-browser': new () => CloudBrowserElement & {
      /** For templates alone; the element has no such property. */
      $props: HTMLAttributes & CloudBrowserProps & Pick<CloudBrowserAttributes, 'resize'> & PublicProps;
      /** For templates alone; the element has no such property. */
      $emit: EmitFn<Emits>;
    };
  }
}

export * from '../dist/element/define.js';
