/** Replaces `define.ts` in edge runtimes, see `../element/without-dom.ts`. */
export { ReplayErrorEvent, ReplayStateEvent } from './replay-element-events.js';
export { ReplayError } from './loading/recording-data.js';
export { addTranslation } from '../element/lang/registry.js';

/** Stands for the class of the element, so that code for pages can import it. Does nothing. */
class StandIn {
  readonly localName = 'cloud-browser-replay';
}

export { StandIn as CloudBrowserReplayElement };
