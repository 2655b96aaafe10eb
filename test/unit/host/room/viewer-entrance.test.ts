import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { PROTOCOL_VERSION, reasonOfCloseCode, SUBPROTOCOL, type Hello } from 'cloud-browser/protocol';
import { WebSocket } from 'ws';
import type { ViewerHandover } from '../../../../server/src/host-protocol.js';
import { closeSocket, readHello } from '../../../../server/src/host/room/handshake.js';
import { ViewerEntrance } from '../../../../server/src/host/room/entrance/viewer-entrance.js';

const RIGHTS = { auth: 'granted', controlDisabled: false, roles: [], tiedRoles: [] } as const;

let entrance: ViewerEntrance;
let service: Server;
const clients: WebSocket[] = [];
beforeEach(async () => {
  entrance = new ViewerEntrance();
  // Runs in one process instead of two. The service passes on its data of the upgrade request.
  service = createServer().on(
    'upgrade',
    ({ method = '', url = '', headers }, socket: Socket, head: Buffer) => {
      const user = { userId: 'user-1', ip: '192.0.2.1', head: head.toString('base64'), ...RIGHTS };
      entrance.take({ ...user, request: { method, url, headers } }, socket);
    },
  );
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
});
afterEach(() => {
  for (const client of clients.splice(0)) client.terminate();
  service.close();
});

/** Connects, and sends a hello at once. */
async function arrive(): Promise<WebSocket> {
  const { port } = service.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}/session`, [SUBPROTOCOL]);
  clients.push(client);
  await once(client, 'open');
  client.send(JSON.stringify({ type: 'hello', version: PROTOCOL_VERSION, media: ['h264'] }));
  return client;
}

/** Opens the entrance. Resolves to the next viewer and its first message. */
const opened = () =>
  new Promise<{ viewer: ViewerHandover; hello: Hello | undefined }>((resolve) =>
    entrance.open(
      (socket, viewer) =>
        void readHello(socket).then((hello) =>
          resolve({ viewer, hello: hello?.type === 'hello' ? hello : undefined }),
        ),
    ),
  );

describe('a new viewer', () => {
  for (const [what, message] of Object.entries({
    'a huge text': ' '.repeat(4 * 1024 * 1024),
    'a huge binary message': new Uint8Array(4 * 1024 * 1024),
  }))
    it(`who sends ${what} receives the reason "rejected"`, async () => {
      const client = await arrive();
      await opened();
      for (let count = 0; count < 3; count++) client.send(message);
      const [code, text] = (await once(client, 'close')) as [number, Buffer];
      assert.equal(reasonOfCloseCode(code), 'rejected');
      assert.match(String(text), /larger than a session accepts/);
    });

  // The limits of messages do not count the frames of a message. Frames without content also cost time.
  for (const [what, piece] of Object.entries({ empty: '', small: ' ' }))
    it(`who sends a message in too many ${what} frames receives the reason "rejected"`, async () => {
      const client = await arrive();
      await opened();
      for (let count = 0; count < 1_000; count++) client.send(piece, { fin: false });
      const [code, text] = (await once(client, 'close')) as [number, Buffer];
      assert.equal(reasonOfCloseCode(code), 'rejected');
      assert.match(String(text), /too many frames/);
    });

  it('who joins before the room is open enters it later, and no message is lost', async () => {
    const client = await arrive();
    client.ping();
    const { viewer, hello } = await opened();
    assert.equal(viewer.userId, 'user-1');
    assert.equal(hello?.type, 'hello');
    assert.equal(client.protocol, SUBPROTOCOL);
  });

  it('who joins an open room enters at once', async () => {
    const entering = opened();
    await arrive();
    const { viewer, hello } = await entering;
    assert.equal(viewer.request.url, '/session');
    assert.equal(hello?.type, 'hello');
  });

  it('who waits for a room that never opens receives the reason', async () => {
    const client = await arrive();
    const closed = once(client, 'close') as Promise<[number, Buffer]>;
    entrance.close('crashed', 'The session could not start.');
    const [code, message] = await closed;
    assert.deepEqual([reasonOfCloseCode(code), String(message)], ['crashed', 'The session could not start.']);
  });

  it('who is sent away and goes on sending is disconnected before the time to say goodbye has passed', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    entrance.open((socket) => closeSocket(socket, 'full', 'This session is full.'));
    const { port } = service.address() as AddressInfo;
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    client.write(
      'GET /session HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
    );
    await once(client, 'data');
    const emptyTexts = Buffer.concat(Array<Buffer>(100).fill(Buffer.from([0x81, 0x80, 0, 0, 0, 0])));
    for (let count = 0; count < 100; count++) client.write(emptyTexts);
    // The end can also be an error, because the host does not read the rest.
    await new Promise((resolve) => client.once('close', resolve));
  });
});
