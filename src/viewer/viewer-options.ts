import { CloudBrowserClient, type Fit, type ReconnectPolicy } from '../core/index.js';
import type { KeyboardScope } from '../input/index.js';
import { socketsThatReport } from './blocked-socket.js';
import type { ResizeMode } from './controls/auto-resize.js';

/** Options of a viewer. */
export interface ViewerOptions {
  /**
   * Element that shows the picture and receives input. It needs a size of its own and must allow children.
   */
  container: HTMLElement;
  /** Embed URL of the session. Alternative: `client`. */
  embedUrl?: string;
  /** A client that the caller connects and disconnects. Alternative: `embedUrl`. */
  client?: CloudBrowserClient;
  /** Reconnection policy for use with `embedUrl`. */
  reconnect?: ReconnectPolicy;
  /** A canvas in the container that only this viewer uses. Default: a new one. */
  canvas?: HTMLCanvasElement;
  /** Default `contain`. */
  fit?: Fit;
  /** `auto`: the remote screen follows the size of the container, see `Viewer.resizeMode`. Default `none`. */
  resize?: ResizeMode;
  /** True to send no input of the user. Default false. */
  viewOnly?: boolean;
  /** Volume from 0 to 1. Default 1. */
  volume?: number;
  /** Defines which keys go to the remote screen. Default `surface`. */
  keyboard?: KeyboardScope;
  /**
   * Behavior while the container is not visible. Default `pause`: the session sends no frames. `pause-page`:
   * the same, but only while the whole page is hidden, independent of the container's position. `play`: the
   * session always sends frames.
   */
  whenHidden?: 'pause' | 'pause-page' | 'play';
}

/**
 * Creates the client for a viewer whose options contain no client. Throws `EmbedUrlError` if the embed URL is
 * invalid, and TypeError if it is missing.
 */
export function makeClient({ embedUrl, reconnect }: ViewerOptions): CloudBrowserClient {
  if (!embedUrl) throw new TypeError('A viewer needs an `embedUrl` or a `client`.');
  // `media` is a placeholder. The viewer detects the supported media and sets them before it connects.
  const createSocket = socketsThatReport();
  return new CloudBrowserClient({
    ...{ embedUrl, createSocket, media: ['image'] },
    ...(reconnect && { reconnect }),
  });
}
