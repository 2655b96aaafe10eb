import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { openWebSocket } from '../../../src/core/index.js';

const original = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket');
afterEach(() => {
  if (original) Object.defineProperty(globalThis, 'WebSocket', original);
  else Reflect.deleteProperty(globalThis, 'WebSocket');
});

/** A socket of the platform that notes what it is asked to send. */
class PlatformSocket {
  static readonly OPEN = 1;
  static made: PlatformSocket;
  readyState = 1;
  readonly sent: unknown[] = [];

  constructor() {
    PlatformSocket.made = this;
  }

  send(data: unknown): void {
    this.sent.push(data);
  }

  close(): void {
    this.readyState = 2;
  }
}

describe('the socket of the platform', () => {
  it('is given nothing any more once it closes, of which browsers would complain in the console', () => {
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
