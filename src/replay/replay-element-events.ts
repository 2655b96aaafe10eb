import type { ReplayError } from './loading/recording-data.js';
import type { ReplayState } from './views/replay-status-view.js';

/** The state of the element changed. Like all events of the element, it does not bubble. */
export class ReplayStateEvent extends Event {
  constructor(
    /** `idle` without an address, `loading`, `ready` or `failed`. */
    readonly state: ReplayState,
    readonly previous: ReplayState,
  ) {
    super('statechange');
  }
}

/** The recording cannot be shown. The element shows the reason. */
export class ReplayErrorEvent extends Event {
  constructor(
    /** Its `code` is `access`, `missing`, `empty`, `network` or `format`. */
    readonly error: ReplayError,
  ) {
    super('error');
  }
}

/** Events of `<cloud-browser-replay>` by type. */
export interface CloudBrowserReplayEventMap {
  statechange: ReplayStateEvent;
  error: ReplayErrorEvent;
  play: Event;
  pause: Event;
  ended: Event;
  timeupdate: Event;
  seeked: Event;
  eventsload: Event;
}

/** Events of the video that the element dispatches again. */
export const REPEATED_EVENTS: ReadonlySet<string> = new Set([
  'play',
  'pause',
  'ended',
  'timeupdate',
  'seeked',
]);
