import { CloudBrowserClient, type Fit, type ReconnectPolicy } from '../core/index.js';
import type { KeyboardScope } from '../input/index.js';
import type { ResizeMode } from './auto-resize.js';

/** What a viewer is made of. */
export interface ViewerOptions {
  /** Shows the picture and takes input: an element with a size of its own that may hold children. */
  container: HTMLElement;
  /** The session to connect to; or `client`. */
  embedUrl?: string;
  /** A client of the caller's, who connects and disconnects it; or `embedUrl`. */
  client?: CloudBrowserClient;
  /** With `embedUrl`: how a lost connection is sought again. */
  reconnect?: ReconnectPolicy;
  /** A canvas in the container, for this viewer alone. Default: a new one. */
  canvas?: HTMLCanvasElement;
  /** Default `contain`. */
  fit?: Fit;
  /** `auto`: the remote screen follows the size of the container, see `Viewer.resizeMode`. Default `none`. */
  resize?: ResizeMode;
  /** Takes no input. Default false. */
  viewOnly?: boolean;
  /** From 0 to 1. Default 1. */
  volume?: number;
  /** Which keys go to the remote screen. Default `surface`. */
  keyboard?: KeyboardScope;
  /**
   * What happens while nobody can see the container. Default `pause`: no frames are sent. `pause-page`: the same, but only a
   * hidden page counts, wherever the container is.
   */
  whenHidden?: 'pause' | 'pause-page' | 'play';
}

/** The client of a viewer that was given none. Throws `EmbedUrlError` for an address that no session can have, TypeError without one. */
export function makeClient({ embedUrl, reconnect }: ViewerOptions): CloudBrowserClient {
  if (!embedUrl) throw new TypeError('A viewer needs an `embedUrl` or a `client`.');
  // What this browser can show is found out before it connects.
  return new CloudBrowserClient({ embedUrl, media: ['image'], ...(reconnect && { reconnect }) });
}
