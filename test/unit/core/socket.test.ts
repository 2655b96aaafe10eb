import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openEarly } from '../../../src/core/connection/early-socket.js';
import { openWebSocket } from '../../../src/core/index.js';
import { PassingTime, settle } from '../../fakes/passing-time.js';

const original = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket');
afterEach(() => {
  if (original) Object.defineProperty(globalThis, 'WebSocket', original);
  else Reflect.deleteProperty(globalThis, 'WebSocket');
});

/** A platform socket that records sent data. */
class PlatformSocket {
  static readonly OPEN = 1;
  static made: PlatformSocket;
  static count = 0;
  readyState = 1;
  readonly sent: unknown[] = [];
  onopen: () => void = () => undefined;
  onclose: (end: { code: number; reason: string }) => void = () => undefined;

  constructor(readonly url: string) {
    PlatformSocket.made = this;
    PlatformSocket.count++;
  }

  send(data: unknown): void {
    this.sent.push(data);
  }

  close(): void {
    this.readyState = 2;
  }
}

describe("the platform's socket", () => {
  it('receives no data after it closes, which would log an error in the browser', () => {
    Object.defineProperty(globalThis, 'WebSocket', { value: PlatformSocket, configurable: true });
    const ignore = () => undefined;
    const listener = { onOpen: ignore, onMessage: ignore, onClose: ignore };
    const socket = openWebSocket('ws://host', 'protocol', listener);
    socket.send('while it is open');
    PlatformSocket.made.readyState = 2;
    socket.send('too late');
    assert.deepEqual(PlatformSocket.made.sent, ['while it is open']);
  });
});

describe('a socket that is opened early', () => {
  let time: PassingTime;
  let told: string[];
  const listener = {
    onOpen: () => void told.push('open'),
    onMessage: () => undefined,
    onClose: (code: number, reason: string) => void told.push(`${code} ${reason}`),
  };
  beforeEach(() => {
    time = new PassingTime();
    told = [];
    PlatformSocket.count = 0;
    Object.defineProperty(globalThis, 'WebSocket', { value: PlatformSocket, configurable: true });
    openEarly('https://host/session?token=1#here');
  });
  afterEach(() => time.restore());

  const connect = () => openWebSocket('wss://host/session?token=1', 'protocol', listener);

  it('is given to the first client with its address, and reports that it is open', async () => {
    const early = PlatformSocket.made;
    openWebSocket('wss://host/another?token=1', 'protocol', listener);
    assert.notEqual(PlatformSocket.made, early);
    connect().send('hello');
    assert.deepEqual(early.sent, ['hello']);
    assert.deepEqual(told, [], 'its caller has the socket first');
    await settle();
    assert.deepEqual(told, ['open']);
    assert.equal(PlatformSocket.count, 2);
    connect();
    assert.equal(PlatformSocket.count, 3, 'it is taken once');
    await time.pass(60_000);
    assert.equal(early.readyState, PlatformSocket.OPEN);
  });

  it('reports when it opens later', async () => {
    PlatformSocket.made.readyState = 0;
    connect();
    await settle();
    assert.deepEqual(told, []);
    PlatformSocket.made.onopen();
    assert.deepEqual(told, ['open']);
  });

  it('reports how it ended before it was used', async () => {
    PlatformSocket.made.readyState = 3;
    PlatformSocket.made.onclose({ code: 4001, reason: 'The session has ended.' });
    connect();
    await settle();
    assert.deepEqual(told, ['4001 The session has ended.']);
    assert.equal(PlatformSocket.count, 1);
  });

  it('is replaced after it was lost', async () => {
    PlatformSocket.made.onclose({ code: 1006, reason: '' });
    connect();
    await settle();
    assert.deepEqual(told, []);
    assert.equal(PlatformSocket.count, 2);
  });

  it('stays when an earlier one with the same address is lost', async () => {
    const first = PlatformSocket.made;
    openEarly('https://host/session?token=1');
    const second = PlatformSocket.made;
    assert.deepEqual([first.readyState, second.readyState], [2, PlatformSocket.OPEN]);
    first.onclose({ code: 1006, reason: '' });
    await time.pass(4_000);
    connect().send('hello');
    assert.deepEqual(second.sent, ['hello']);
    assert.equal(PlatformSocket.count, 2);
  });

  it('is closed when no client uses it, long before the session would close it', async () => {
    const early = PlatformSocket.made;
    await time.pass(5_000);
    assert.equal(early.readyState, 2);
    connect();
    assert.equal(PlatformSocket.count, 2);
  });
});
