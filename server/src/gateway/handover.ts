import type { IncomingMessage } from 'node:http';
import type { NewViewer } from '../sessions/session.js';

/**
 * The headers that a WebSocket handshake needs. The host does not receive cookies, credentials or the token
 * in the address.
 */
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

/** Returns the data about a viewer or a program for the session's host. `ip`: the client's address. */
export function handoverOf(request: IncomingMessage, head: Buffer, userId: string, ip: string): NewViewer {
  const headers = Object.fromEntries(HANDSHAKE_HEADERS.map((name) => [name, request.headers[name]]));
  return { userId, request: { method: 'GET', url: '/', headers }, head: head.toString('base64'), ip };
}
