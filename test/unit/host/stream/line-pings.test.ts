import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { LineMeter } from '../../../../server/src/host/stream/line-meter.js';
import { LinePings, type PingSocket } from '../../../../server/src/host/stream/line-pings.js';

class FakeSocket extends EventEmitter implements PingSocket {
  readonly OPEN = 1;
  readonly readyState = 1;
  pings: { at: number; data: Buffer }[] = [];

  ping(data: Buffer): void {
    this.pings.push({ at: now, data });
  }
}

let now: number;
let socket: FakeSocket;
let meter: LineMeter;
let pings: LinePings;

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  now = 1_000;
  socket = new FakeSocket();
  meter = new LineMeter(() => now);
  pings = new LinePings(meter, socket, () => now);
});
afterEach(() => mock.timers.reset());

/** Lets time pass. The viewer answers nothing. */
function pass(milliseconds: number): void {
  for (let step = 0; step < milliseconds; step++) {
    now++;
    mock.timers.tick(1);
  }
}

/** The viewer answers its newest ping after so many milliseconds. */
function answer(milliseconds: number): void {
  now += milliseconds;
  socket.emit('pong', socket.pings.at(-1)?.data);
}

const times = () => socket.pings.map(({ at }) => at - 1_000);

test('a near viewer gets a ping every half a second at most, and no probes', () => {
  pings.frameSent(5_000);
  answer(1);
  for (let frame = 0; frame < 60; frame++) {
    pass(16);
    pings.frameSent(5_000);
  }
  pass(100);
  assert.equal(socket.pings.length, 2);
});

test('the first picture is measured, although the round trip is not known yet', () => {
  pings.start();
  pass(2);
  pings.frameSent(100);
  assert.equal(socket.pings.length, 1);
  pass(20);
  pings.frameSent(50_000);
  assert.equal(socket.pings.length, 2);
});

test('a distant viewer gets probes after a frame', () => {
  pings.frameSent(5_000);
  answer(80);
  pass(400);
  const before = socket.pings.length;
  const start = now - 1_000;
  pings.frameSent(5_000);
  pass(100);
  assert.deepEqual(times().slice(before), [start, start + 8, start + 25]);
});

test('during movement only the last frame gets a probe', () => {
  pings.frameSent(5_000);
  answer(80);
  pings.frameSent(5_000);
  for (let frame = 0; frame < 3; frame++) {
    pass(16);
    pings.frameSent(5_000);
  }
  const before = socket.pings.length;
  pass(100);
  assert.equal(socket.pings.length, before + 1);
});

test('a closed viewer gets no pings', () => {
  pings.frameSent(5_000);
  answer(80);
  pings.frameSent(5_000);
  const before = socket.pings.length;
  pings.close();
  pass(100);
  pings.frameSent(5_000);
  assert.equal(socket.pings.length, before);
});

test('an answer with other data has no effect', () => {
  socket.emit('pong', Buffer.from('hello'));
  socket.emit('pong', Buffer.alloc(4));
  assert.equal(meter.roundTrip, Infinity);
});

test('small frames to a distant viewer are measured ten times a second', () => {
  pings.frameSent(100);
  answer(80);
  pass(400);
  const before = socket.pings.length;
  for (let frame = 0; frame < 30; frame++) {
    pings.frameSent(100);
    pass(20);
  }
  const count = socket.pings.length - before;
  assert.ok(count >= 6 && count <= 9, `${count}`);
});
