import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeFrameParts, encodePacketHeader, type MediaPacket } from '../../../src/protocol/index.js';
import { connectedClient } from '../../fakes/connected-client.js';

const KEY = 'key-of-this-viewer';
const MOVE = { type: 'move', modifiers: 0, x: 1, y: 2 } as const;

/** A connected client whose host has asked for a second connection, which is still closed. */
async function setUp() {
  const connected = await connectedClient();
  const [first] = connected.host.connections;
  if (!first) throw new Error('The client has no connection.');
  const packets: MediaPacket[] = [];
  const errors: Error[] = [];
  connected.client.on('packet', (packet) => packets.push(packet));
  connected.client.on('error', (error) => errors.push(error));
  first.send({ type: 'second-connection', key: KEY });
  return { ...connected, first, second: connected.host.last, packets, errors };
}

function frame(number: number, bytes: number): Uint8Array {
  const area = { x: 0, y: 0, width: 1, height: 1 };
  const header = { kind: 'image', keyFrame: true, refinement: false, stream: 1, captureTime: 0 } as const;
  const packet = new Uint8Array(24 + bytes);
  packet.set(encodePacketHeader({ ...header, frame: number, inputSeq: 0, area }));
  return packet;
}

describe('a second connection', () => {
  it('goes to the same address and starts with the key', async () => {
    const { first, second } = await setUp();
    assert.notEqual(first, second);
    assert.deepEqual([second.url, second.subprotocol], [first.url, first.subprotocol]);
    second.open();
    assert.deepEqual(second.messages, [{ type: 'second-hello', version: 1, key: KEY }]);
  });

  it('brings parts that are missing on the first one', async () => {
    const { first, second, packets } = await setUp();
    second.open();
    first.listener.onMessage(frame(1, 10));
    const parts = encodeFrameParts(1, frame(2, 2_000));
    const [head, tail] = parts;
    if (!head || !tail) throw new Error('The frame has one part.');
    first.listener.onMessage(head);
    second.listener.onMessage(tail);
    assert.deepEqual(
      packets.map((packet) => [packet.frame, packet.payload.length]),
      [
        [1, 10],
        [2, 2_000],
      ],
    );
    first.listener.onMessage(tail);
    first.listener.onMessage(frame(3, 10));
    assert.deepEqual(
      packets.map((packet) => packet.frame),
      [1, 2, 3],
    );
  });

  it('gets a copy of input, but not of a paste', async () => {
    const { client, first, second } = await setUp();
    client.sendInput(MOVE);
    second.open();
    client.sendInput(MOVE);
    const key = { code: 'KeyV', key: 'v' };
    client.sendInput({ type: 'paste', modifiers: 0, transfer: 1, ...key });
    assert.deepEqual(
      second.inputs.map((event) => event.type !== 'ack' && event.seq),
      [2],
    );
    assert.equal(first.inputs.length, 3);
  });

  it('may fail or end, and the first one continues', async () => {
    const { client, first, second, packets } = await setUp();
    second.close();
    client.sendInput(MOVE);
    first.listener.onMessage(frame(1, 10));
    assert.deepEqual([client.state, packets.length, second.inputs.length], ['playing', 1, 0]);
  });

  it('brings nothing else than parts of frames', async () => {
    const { second, packets, errors } = await setUp();
    second.open();
    second.listener.onMessage(frame(1, 10));
    second.send({ type: 'second-connection', key: 'another' });
    assert.deepEqual([packets, errors], [[], []]);
    second.listener.onMessage(Uint8Array.of(5, 1, 1, 0, 0, 0, 0, 0, 9));
    assert.equal(errors.length, 1);
  });

  it('ends with the client, and when another one is offered', async () => {
    const { client, host, first, second } = await setUp();
    first.send({ type: 'second-connection', key: 'another' });
    assert.ok(second.closed && host.last !== second);
    client.disconnect();
    assert.ok(host.last.closed);
  });
});
