import assert from 'node:assert/strict';
import { it } from 'node:test';
import { WebSocket } from 'ws';
import { CloudBrowserClient, type CreateSocket } from '../../../../src/core/index.js';
import type { InputWithoutSeq } from '../../../../src/protocol/index.js';
import { FakeRoom, until } from '../../../fakes/fake-room.js';

/** Opens sockets to a room. The connections of `dead` sockets transmit nothing, and nobody notices. */
function socketsTo(room: FakeRoom): { createSocket: CreateSocket; opened: { dead: boolean }[] } {
  const opened: { dead: boolean }[] = [];
  const createSocket: CreateSocket = (_url, subprotocol, listener) => {
    const line = { dead: false };
    opened.push(line);
    const socket = new WebSocket(room.url, subprotocol);
    socket.on('open', () => listener.onOpen());
    socket.on('message', (data: Buffer, binary) => {
      if (!line.dead) listener.onMessage(binary ? new Uint8Array(data) : String(data));
    });
    socket.on('close', (code) => listener.onClose(code, ''));
    return {
      send: (data) => {
        if (!line.dead) socket.send(data);
      },
      close: () => {
        if (!line.dead) socket.close();
      },
    };
  };
  return { createSocket, opened };
}

const text = (value: string): InputWithoutSeq => ({ type: 'text', text: value, modifiers: 0 });
const button = (pressed: boolean): InputWithoutSeq => ({
  type: 'button',
  ...{ button: 0, x: 3, y: 4, modifiers: 0, pressed },
});

it('input that went into a dead connection acts once, and what arrived does not act again', async () => {
  const room = await FakeRoom.open();
  const { createSocket, opened } = socketsTo(room);
  const embedUrl = 'http://localhost/session?token=t';
  const client = new CloudBrowserClient({ embedUrl, media: ['h264'], createSocket });
  try {
    await client.connect();
    client.sendInput(text('a'));
    await until(() => room.display.length === 1);
    for (const line of opened) line.dead = true;
    for (const event of [text('bb'), button(true), button(false), text('ccc')]) client.sendInput(event);
    await client.reconnect();
    client.sendInput(text('dddd'));
    await until(() => room.display.at(-1) === 'text of 4');
    const click = ['move 3 4', 'button 1 down', 'move 3 4', 'button 1 up'];
    assert.deepEqual(room.display, ['text of 1', 'text of 2', ...click, 'text of 3', 'text of 4']);
    for (const line of opened) line.dead = true;
    client.sendInput(text('eeeee'));
    room.pages.onReplaced();
    const { inputSeq } = await client.reconnect();
    client.sendInput(text('ffffff'));
    await until(() => room.display.at(-1) === 'text of 6');
    assert.deepEqual([inputSeq, room.display.slice(-2)], [null, ['text of 4', 'text of 6']]);
  } finally {
    client.disconnect();
    room.close();
  }
});
