/** `<cloud-browser-replay>` for Vue 3: registers the element, and types it in templates. */
import type { EmitFn, HTMLAttributes, PublicProps } from 'vue';
import type {
  CloudBrowserReplayElement,
  CloudBrowserReplayEventMap,
  CloudBrowserReplayEventOf,
  CloudBrowserReplayProps,
} from '../dist/replay/define.js';

/** Listeners as `@connect` has them. */
type Emits = { [Type in keyof CloudBrowserReplayEventMap]: (event: CloudBrowserReplayEventOf<Type>) => void };

declare module 'vue' {
  interface GlobalComponents {
    'cloud-browser-replay': new () => CloudBrowserReplayElement & {
      /** For templates alone; the element has no such property. */
      $props: HTMLAttributes & CloudBrowserReplayProps & PublicProps;
      /** For templates alone; the element has no such property. */
      $emit: EmitFn<Emits>;
    };
  }
}

export * from '../dist/replay/define.js';
