import { EmbedUrlError, UnsupportedError } from '../errors.js';

/** The parts of a WebSocket that the client needs. */
export interface SocketLike {
  send(data: string | Uint8Array): void;
  /** Starts the closing handshake. The socket may still call its listener. The client ignores these calls. */
  close(): void;
}

/** Receives the events of a socket. */
export interface SocketListener {
  onOpen(): void;
  onMessage(data: string | Uint8Array): void;
  /** Called once, even if the socket never opened. `code` as in `CloseEvent.code`. */
  onClose(code: number, message: string): void;
}

/** Opens a socket. May throw if the runtime has no WebSocket. */
export type CreateSocket = (url: string, subprotocol: string, listener: SocketListener) => SocketLike;

/**
 * Returns the WebSocket address of an embed URL, with the same host, path and query. Throws
 * {@link EmbedUrlError}.
 */
export function socketUrl(embedUrl: string): string {
  let url: URL;
  try {
    url = new URL(embedUrl);
  } catch {
    throw new EmbedUrlError(
      `"${embedUrl}" is not an absolute URL. Pass the embed_url that the service returned.`,
    );
  }
  const secure = url.protocol === 'https:' || url.protocol === 'wss:';
  if (!secure && url.protocol !== 'http:' && url.protocol !== 'ws:') {
    throw new EmbedUrlError(`An embed URL starts with http: or https:, not ${url.protocol}`);
  }
  url.protocol = secure ? 'wss:' : 'ws:';
  url.hash = '';
  return url.href;
}

/**
 * A socket that the page opened before a client connected, see `openEarly`. `end` is set if the session has
 * closed the socket since then.
 */
export interface EarlySocket {
  readonly socket: WebSocket;
  end?: { readonly code: number; readonly reason: string };
}

/** Unused early sockets, by address. */
export const earlySockets = new Map<string, EarlySocket>();

/**
 * Opens a socket with the platform's WebSocket, or uses an early socket. Throws {@link UnsupportedError} if
 * the platform has no WebSocket (Node before 22).
 */
export const openWebSocket: CreateSocket = (url, subprotocol, listener) => {
  if (typeof WebSocket === 'undefined') {
    throw new UnsupportedError('This runtime has no WebSocket. Pass `createSocket` to the client.');
  }
  const early = earlySockets.get(url);
  earlySockets.delete(url);
  const socket = early?.socket ?? new WebSocket(url, subprotocol);
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => listener.onOpen();
  socket.onmessage = ({ data }) => {
    listener.onMessage(typeof data === 'string' ? data : new Uint8Array(data as ArrayBuffer));
  };
  socket.onclose = ({ code, reason }) => listener.onClose(code, reason);
  // Sends only on an open socket. On a closing socket, the data would be lost, and browsers would log an
  // error in the page's console.
  const send = (data: string | Uint8Array): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(data);
  };
  // Reports earlier events of an early socket to the listener, after this function has returned.
  if (early)
    void Promise.resolve(early).then(({ end }) => {
      if (end) listener.onClose(end.code, end.reason);
      else if (socket.readyState === WebSocket.OPEN) listener.onOpen();
    });
  return { send, close: () => socket.close(1000) };
};
