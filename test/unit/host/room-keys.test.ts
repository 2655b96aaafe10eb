import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { encodeControl, Modifier } from 'cloud-browser/protocol';
import { FakeRoom, until, type RawClient } from '../../fakes/fake-room.js';

let room: FakeRoom;
beforeEach(async () => {
  room = await FakeRoom.open();
});
afterEach(() => room.close());

function key(client: RawClient, pressed: boolean, code = 'KeyA', modifiers = 0): void {
  client.input({ type: 'key', code, key: 'a', modifiers, pressed, repeat: false });
}

const tellHeld = (client: RawClient) => client.socket.send(encodeControl({ type: 'held' }));
const displayed = (...events: string[]) => until(() => room.display.join() === events.join());

describe('a held key', () => {
  it('comes up when nothing is heard of it any more, and goes down again when it is', async () => {
    const client = await room.enter({ tellsHeld: true });
    key(client, true);
    await displayed('key 38 down', 'key 38 up');
    const telling = setInterval(() => tellHeld(client), 20);
    await displayed('key 38 down', 'key 38 up', 'key 38 down');
    clearInterval(telling);
    key(client, false);
    await displayed('key 38 down', 'key 38 up', 'key 38 down', 'key 38 up');
  });

  it('stays up when its words were kept back, with the one behind them that it came up', async () => {
    const client = await room.enter({ tellsHeld: true });
    key(client, true);
    await displayed('key 38 down', 'key 38 up');
    tellHeld(client);
    tellHeld(client);
    key(client, false);
    await client.settled();
    assert.deepEqual(room.display, ['key 38 down', 'key 38 up']);
  });

  it('stays up when it was let go of meanwhile', async () => {
    const client = await room.enter({ tellsHeld: true });
    key(client, true);
    await displayed('key 38 down', 'key 38 up');
    key(client, false);
    tellHeld(client);
    await client.settled();
    assert.deepEqual(room.display, ['key 38 down', 'key 38 up']);
  });

  it('stays down in the hands of a viewer that does not tell', async () => {
    const quiet = await room.enter();
    key(quiet, true, 'KeyB');
    await displayed('key 38 down');
    const other = await room.enter({ tellsHeld: true });
    key(other, true);
    await displayed('key 38 down', 'key 38 down', 'key 38 up');
  });

  it('stays down when it is a modifier, which does not repeat', async () => {
    const client = await room.enter({ tellsHeld: true });
    key(client, true, 'ShiftLeft', Modifier.shift);
    await until(() => room.display.length === 1);
    const [shift = ''] = room.display;
    key(client, true, 'KeyA', Modifier.shift);
    await displayed(shift, 'key 38 down', 'key 38 up');
  });
});
