import type { MediaKind, Userdata } from '../protocol/index.js';
import type { WatchNetwork } from './network.js';
import type { ReconnectPolicy } from './reconnect-policy.js';
import type { CreateSocket } from './socket.js';
import type { Timers } from './timers.js';

/** What a `CloudBrowserClient` is made of. */
export interface ClientOptions {
  /** The `embed_url` of the session, as the service answered it. */
  embedUrl: string;
  /** What this viewer can show, best first; not empty. */
  media: readonly MediaKind[];
  /** For the customer's endpoint that decides about viewers; anything that JSON has, of at most 60 kB. */
  userdata?: Userdata;
  /** Default: `backoff()` with its defaults. */
  reconnect?: ReconnectPolicy;
  /** Default: the platform's WebSocket. */
  createSocket?: CreateSocket;
  /** Default: the platform's events `online` and `offline`. */
  watchNetwork?: WatchNetwork;
  /** Default: the platform's timers. */
  timers?: Timers;
}
