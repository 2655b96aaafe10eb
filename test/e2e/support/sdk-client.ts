import WebSocket from 'ws';
import { CloudBrowserClient, type CreateSocket } from '../../../src/core/index.js';
import type { MediaKind } from 'cloud-browser/protocol';
import { atEnd } from './cleanup.js';
import type { Session } from './service.js';

/** Opens the SDK's sockets with the package `ws`, for versions of Node without a built-in WebSocket. */
export const wsSocket: CreateSocket = (url, subprotocol, listener) => {
  const socket = new WebSocket(url, subprotocol);
  socket.on('open', () => listener.onOpen());
  socket.on('message', (data: Buffer, binary) => listener.onMessage(binary ? data : data.toString('utf8')));
  socket.on('error', () => undefined);
  socket.on('close', (code, reason) => listener.onClose(code, reason.toString()));
  return { send: (data) => socket.send(data), close: () => socket.close(1000) };
};

/**
 * Connects the headless client of the SDK to a session; it acknowledges every frame and decodes none.
 *
 * @param media the format of its pictures
 */
export async function connectClient(
  session: Pick<Session, 'embed_url'>,
  adminToken?: string,
  media: MediaKind = 'h264',
): Promise<CloudBrowserClient> {
  const client = new CloudBrowserClient({
    embedUrl: session.embed_url,
    media: [media],
    createSocket: wsSocket,
  });
  client.remote.adminToken = adminToken;
  client.on('packet', ({ stream, frame }) => client.acknowledge(stream, frame));
  atEnd(() => client.disconnect());
  await client.connect();
  return client;
}
