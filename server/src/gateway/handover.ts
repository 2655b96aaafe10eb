import type { IncomingMessage } from 'node:http';
import type { NewViewer } from '../sessions/session.js';

/** All that finishing a WebSocket handshake takes. Cookies, credentials and the token in the address stay behind. */
const HANDSHAKE_HEADERS = [
  'host',
  'origin',
  'connection',
  'upgrade',
  'user-agent',
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-protocol',
  'sec-websocket-extensions',
];

/** What a session host is told about a viewer. `ip`: the client's address. */
export function handoverOf(request: IncomingMessage, head: Buffer, userId: string, ip: string): NewViewer {
  const headers = Object.fromEntries(HANDSHAKE_HEADERS.map((name) => [name, request.headers[name]]));
  return { userId, request: { method: 'GET', url: '/', headers }, head: head.toString('base64'), ip };
}
