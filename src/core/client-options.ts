import type { MediaKind, Userdata } from '../protocol/index.js';
import type { WatchNetwork } from './connection/network.js';
import type { ReconnectPolicy } from './connection/reconnect-policy.js';
import type { CreateSocket } from './connection/socket.js';
import type { Timers } from './timers.js';

/** Options of a `CloudBrowserClient`. */
export interface ClientOptions {
  /** The `embed_url` of the session, exactly as the service returned it. */
  embedUrl: string;
  /** Formats of frames that this viewer can show, best first. Not empty. */
  media: readonly MediaKind[];
  /** Data for the customer's endpoint that authorizes viewers: any JSON value of at most 60 kB. */
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
