import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { decodeFramePart, encodeInput, isFramePart, type HostMessage } from 'cloud-browser/protocol';
import { WebSocket } from 'ws';
import { SecondConnection } from '../../../../server/src/host/room/viewers/second-connection.js';
import { FakeRoom, until } from '../../../fakes/fake-room.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  sent: Uint8Array[] = [];
  ended = false;

  send(bytes: Uint8Array): void {
    this.sent.push(bytes);
  }

  terminate(): void {
    this.ended = true;
    this.emit('close');
  }
}

let clock: ManualClock;
let copied: number;
let line: {
  isDistant: boolean;
  isLossy: boolean;
  rate: number;
  roundTrip: number;
  sent: (bytes: number) => void;
};
let told: HostMessage[];
let sent: Uint8Array[];
let socket: FakeSocket;
let used: number[];
/** False: the room does not accept the user's input yet. */
let isAllowed: boolean;

beforeEach(() => {
  clock = new ManualClock();
  clock.set(100_000);
  copied = 0;
  line = { isDistant: true, isLossy: true, rate: 1_000, roundTrip: 80, sent: (bytes) => (copied += bytes) };
  isAllowed = true;
  [told, sent, used, socket] = [[], [], [], new FakeSocket()];
});

const make = (isSupported = true) =>
  new SecondConnection(
    { send: (message) => told.push(message), sendBytes: (bytes) => sent.push(bytes), line },
    isSupported,
    clock,
  );
const keyOf = (message: HostMessage | undefined) =>
  message?.type === 'second-connection' ? message.key : '';

/** A second connection that the viewer has opened. One frame was sent before. */
function joined(): SecondConnection {
  const connection = make();
  connection.sendFrame(1, new Uint8Array(10));
  connection.join(socket as unknown as WebSocket, ({ seq }) => isAllowed && used.push(seq) > 0);
  sent.length = 0;
  return connection;
}

const input = (seq: number) => Buffer.from(encodeInput({ type: 'release', modifiers: 0, seq }));

describe('the offer of a second connection', () => {
  it('is made once in ten minutes to a distant viewer whose line loses packets', () => {
    const connection = make();
    connection.sendFrame(1, new Uint8Array(10));
    connection.sendFrame(1, new Uint8Array(10));
    clock.advance(600_000);
    connection.sendFrame(1, new Uint8Array(10));
    const keys = told.map(keyOf);
    assert.equal(new Set(keys).size, 2);
    assert.deepEqual([connection.admits(keys[0] ?? ''), connection.admits(keys[1] ?? '')], [false, true]);
    clock.advance(31_000);
    assert.equal(connection.admits(keys[1] ?? ''), false, 'a key is valid for 30 seconds');
  });

  for (const [why, change] of [
    ['the line loses nothing', { isLossy: false }],
    ['the viewer is near', { isDistant: false }],
  ] as const)
    it(`is not made if ${why}`, () => {
      Object.assign(line, change);
      make().sendFrame(1, new Uint8Array(10));
      assert.deepEqual([told, sent.length], [[], 1]);
    });

  it('is not made to a viewer that does not support it', () => {
    make(false).sendFrame(1, new Uint8Array(10));
    assert.deepEqual(told, []);
  });
});

describe('a frame', () => {
  it('has a copy if it occupies the line for less than a quarter of the round trip', () => {
    line.roundTrip = 200;
    joined().sendFrame(1, new Uint8Array(21_000));
    assert.ok(socket.sent.length > 1);
  });

  it('counts twice on the line if it has a copy', () => {
    joined().sendFrame(1, new Uint8Array(3_000));
    assert.equal(copied, 3_000);
  });

  it('goes forwards on the first and backwards on the second connection', () => {
    joined().sendFrame(1, new Uint8Array(3_000));
    const indexes = (parts: Uint8Array[]) => parts.map((part) => decodeFramePart(part).index);
    assert.deepEqual(indexes(sent), [0, 1, 2]);
    assert.deepEqual(indexes(socket.sent), [2, 1, 0]);
    assert.ok(sent.every((part) => decodeFramePart(part).sequence === 1));
  });

  const ALONE: Record<string, { bytes?: number; stream?: number; before?: () => void }> = {
    'it is large': { bytes: 40_000 },
    'it occupies the line for more than 20 ms': { bytes: 21_000 },
    'it is the first of its stream': { stream: 2 },
    'the line loses nothing any more': { before: () => (line.isLossy = false) },
    'the second connection has not sent its copies yet': { before: () => (socket.bufferedAmount = 20_000) },
    'the second connection has ended': { before: () => socket.terminate() },
  };
  for (const [what, { bytes = 100, stream = 1, before }] of Object.entries(ALONE))
    it(`goes whole on the first connection if ${what}`, () => {
      const connection = joined();
      before?.();
      connection.sendFrame(stream, new Uint8Array(bytes));
      assert.deepEqual([sent.length, socket.sent.length, sent.some(isFramePart)], [1, 0, false]);
    });

  it('gets no copy while the copies have used their share of the line', () => {
    const connection = joined();
    for (let count = 0; count < 10; count++) connection.sendFrame(1, new Uint8Array(10_000));
    const copies = new Set(socket.sent.map((part) => decodeFramePart(part).sequence));
    assert.ok(copies.size >= 5 && copies.size < 9, `${copies.size} frames have copies`);
    clock.advance(1_000);
    socket.sent.length = 0;
    connection.sendFrame(1, new Uint8Array(10_000));
    assert.ok(socket.sent.length > 0);
  });
});

describe('a copy of input', () => {
  it('is used if it comes first, and the event itself is then ignored', () => {
    const connection = joined();
    assert.equal(connection.takesInput(1), true);
    socket.emit('message', input(2), true);
    assert.deepEqual(used, [2]);
    assert.deepEqual([connection.takesInput(2), connection.takesInput(3)], [false, true]);
  });

  it('is ignored if it comes later, or before events that are still under way', () => {
    const connection = joined();
    connection.takesInput(1);
    for (const seq of [1, 3]) socket.emit('message', input(seq), true);
    assert.deepEqual(used, []);
  });

  it('is ignored while the user may not act, and the event itself is not', () => {
    const connection = joined();
    isAllowed = false;
    socket.emit('message', input(1), true);
    assert.deepEqual([used, connection.takesInput(1)], [[], true]);
  });

  for (const [what, data, binary] of [
    ['text', Buffer.from('{}'), false],
    ['bytes that are no input', Buffer.from([99]), true],
  ] as const)
    it(`ends the second connection if it is ${what}`, () => {
      joined();
      socket.emit('message', data, binary);
      assert.deepEqual([socket.ended, used], [true, []]);
    });

  it('ends the second connection if there are too many', () => {
    joined();
    for (let count = 0; count < 20_000; count++) socket.emit('message', input(9), true);
    assert.deepEqual([socket.ended, used], [true, []]);
  });
});

describe('a room', () => {
  let room: FakeRoom;
  beforeEach(async () => (room = await FakeRoom.open()));
  afterEach(() => room.close());

  it('refuses a second connection that no viewer expects', async () => {
    await room.enter({ secondConnection: true });
    const stranger = new WebSocket(room.url);
    stranger.on('open', () => stranger.send('{"type":"second-hello","version":1,"key":"guessed"}'));
    const closed = new Promise<string>((resolve) =>
      stranger.once('close', (_code, reason) => resolve(String(reason))),
    );
    assert.equal(await closed, 'No viewer of this session expects this second connection.');
  });

  it('performs input that arrives only on the second connection, once, and ends it with its viewer', async () => {
    const client = await room.enter({ secondConnection: true });
    const [viewer] = room.viewers;
    if (!viewer) throw new Error('The room has no viewer.');
    Object.defineProperties(viewer.delivery.line, {
      isLossy: { value: true },
      isDistant: { value: true },
    });
    const area = { x: 0, y: 0, width: 1, height: 1 };
    const flags = { keyFrame: true, refinement: false };
    viewer.sendFrame('image', 1, { ...flags, number: 1, captureTime: 0, area, data: Buffer.alloc(9) });
    const offer = await until(() => client.told.find(({ type }) => type === 'second-connection'));
    const second = new WebSocket(room.url);
    const hello = JSON.stringify({ type: 'second-hello', version: 1, key: keyOf(offer) });
    await once(second, 'open');
    second.send(hello);
    // Copies that come before the room has accepted the connection are ignored.
    await until(() => {
      second.send(encodeInput({ type: 'move', modifiers: 0, x: 5, y: 6, seq: 1 }));
      return room.display.includes('move 5 6');
    });
    client.move(5, 6);
    client.move(7, 8);
    await client.settled();
    await until(() => room.display.includes('move 7 8'));
    assert.deepEqual(room.display, ['move 5 6', 'move 7 8']);
    client.socket.close();
    await until(() => second.readyState === second.CLOSED);
  });
});
