import { once } from 'node:events';
import { connect } from 'node:net';
import { SUBPROTOCOL } from 'cloud-browser/protocol';

/** A scripted host's report about a viewer. */
export interface SeenViewer {
  pid: number;
  viewer: { ip: string; request: { headers: Record<string, string> } };
}

/**
 * Connects to an embed URL through `base`, as a viewer does. Returns what the session's host saw. Rejects
 * with the refusal.
 */
export async function view(base: string, embedUrl: string): Promise<SeenViewer> {
  const { hostname, port } = new URL(base);
  const { pathname, search } = new URL(embedUrl);
  const socket = connect(Number(port), hostname);
  socket.setTimeout(10_000, () => socket.destroy(new Error('No answer came.')));
  socket.write(
    [
      `GET ${pathname}${search} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
      ...['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', `Sec-WebSocket-Protocol: ${SUBPROTOCOL}`],
      ...['', ''],
    ].join('\r\n'),
  );
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => (text += chunk));
  await once(socket, 'close');
  const said = text.slice(text.startsWith('HTTP/1.1 101') ? text.indexOf('\r\n\r\n') + 4 : 0);
  if (!said.startsWith('{')) throw new Error(text.split('\r\n', 1)[0] || 'The connection was closed.');
  return JSON.parse(said) as SeenViewer;
}
