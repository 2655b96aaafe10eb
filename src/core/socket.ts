import { EmbedUrlError, UnsupportedError } from './errors.js';

/** The little that the client needs of a WebSocket. */
export interface SocketLike {
  send(data: string | Uint8Array): void;
  /** Starts the closing handshake. Callbacks may still come; the client ignores them. */
  close(): void;
}

/** Where a socket reports to. */
export interface SocketListener {
  onOpen(): void;
  onMessage(data: string | Uint8Array): void;
  /** Called once, also when the socket never opened. `code` as in `CloseEvent.code`. */
  onClose(code: number, message: string): void;
}

/** Opens a socket; may throw when the runtime has none. */
export type CreateSocket = (url: string, subprotocol: string, listener: SocketListener) => SocketLike;

/** The WebSocket address behind an embed URL: the same host, path and query. Throws {@link EmbedUrlError}. */
export function socketUrl(embedUrl: string): string {
  let url: URL;
  try {
    url = new URL(embedUrl);
  } catch {
    throw new EmbedUrlError(
      `"${embedUrl}" is not an absolute URL; pass the embed_url that the service answered.`,
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

/** A socket that was opened before anybody connected, and how it ended if it has; see `openEarly`. */
export interface EarlySocket {
  readonly socket: WebSocket;
  end?: { readonly code: number; readonly reason: string };
}

/** Those that nobody has taken yet, by address. */
export const earlySockets = new Map<string, EarlySocket>();

/** Uses the platform's WebSocket. Throws {@link UnsupportedError} where there is none (Node before 22). */
export const openWebSocket: CreateSocket = (url, subprotocol, listener) => {
  if (typeof WebSocket === 'undefined') {
    throw new UnsupportedError('This runtime has no WebSocket; pass `createSocket` to the client.');
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
  // What is sent while the socket closes is lost anyway, and browsers complain of it in the page's console.
  const send = (data: string | Uint8Array): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(data);
  };
  // What an early socket has told before is told when the caller has the socket.
  if (early)
    void Promise.resolve(early).then(({ end }) => {
      if (end) listener.onClose(end.code, end.reason);
      else if (socket.readyState === WebSocket.OPEN) listener.onOpen();
    });
  return { send, close: () => socket.close(1000) };
};
