/**
 * Replaces `define.ts` in edge runtimes, such as Cloudflare Workers. Lit has code without a DOM only for
 * Node. Its other code reads `document` and `HTMLElement` when it is imported, and would stop the server
 * there.
 */
export * from './events.js';
export { TEXTS } from './lang/built-in.js';
export { addTranslation } from './lang/registry.js';

/** Stands for the class of the element, so that code for pages can import it. Does nothing. */
class StandIn {
  readonly localName = 'cloud-browser';
}

export { StandIn as CloudBrowserElement };
