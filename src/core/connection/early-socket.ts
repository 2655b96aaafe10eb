import { SUBPROTOCOL } from '../../protocol/index.js';
import { earlySockets, socketUrl, type EarlySocket } from './socket.js';

/**
 * Time after which an unused early socket is closed, in milliseconds. This is shorter than the ten seconds
 * for which a session waits for the first message of a connection.
 */
const EARLY_MS = 5_000;
/** Close code of a lost connection, see RFC 6455, 7.1.5. */
const CUT_OFF = 1006;

/**
 * Opens a socket early, for a page that knows its session before it has loaded the viewer. The first client
 * that connects to the same address by `openWebSocket` uses this socket. Throws as `socketUrl` does.
 */
export function openEarly(embedUrl: string): void {
  const url = socketUrl(embedUrl);
  const early: EarlySocket = { socket: new WebSocket(url, SUBPROTOCOL) };
  // A client uses only the newest socket. The timer of a replaced socket does not close it.
  earlySockets.get(url)?.socket.close(1000);
  earlySockets.set(url, early);
  early.socket.onclose = (end) => {
    // The connection was lost, so a client should open another socket. A newer early socket stays.
    if (end.code !== CUT_OFF) early.end = end;
    else if (earlySockets.get(url) === early) earlySockets.delete(url);
  };
  setTimeout(() => {
    if (earlySockets.get(url) !== early) return;
    earlySockets.delete(url);
    early.socket.close(1000);
  }, EARLY_MS);
}
