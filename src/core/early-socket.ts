import { SUBPROTOCOL } from '../protocol/index.js';
import { earlySockets, socketUrl, type EarlySocket } from './socket.js';

/** What nobody has taken in this time is closed: a session waits ten seconds for a connection's first word. Milliseconds. */
const EARLY_MS = 5_000;
/** How a socket ends that was cut off, see RFC 6455, 7.1.5. */
const CUT_OFF = 1006;

/**
 * Opens a socket for the first who connects to this session by `openWebSocket`, who has then not to wait for it: for a page that knows
 * its session before it has loaded what shows it. Throws as `socketUrl`.
 */
export function openEarly(embedUrl: string): void {
  const url = socketUrl(embedUrl);
  const early: EarlySocket = { socket: new WebSocket(url, SUBPROTOCOL) };
  earlySockets.set(url, early);
  early.socket.onclose = (end) => {
    // One that was cut off says nothing of the session: another one may do better.
    if (end.code === CUT_OFF) earlySockets.delete(url);
    else early.end = end;
  };
  setTimeout(() => {
    if (earlySockets.get(url) !== early) return;
    earlySockets.delete(url);
    early.socket.close(1000);
  }, EARLY_MS);
}
