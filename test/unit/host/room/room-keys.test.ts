import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { encodeControl, Modifier } from 'cloud-browser/protocol';
import { FakeRoom, until, type RawClient } from '../../../fakes/fake-room.js';

let room: FakeRoom;
beforeEach(async () => {
  room = await FakeRoom.open();
});
afterEach(() => room.close());

function key(
  client: RawClient,
  pressed: boolean,
  more: { code?: string; modifiers?: number; repeat?: boolean } = {},
) {
  client.input({ type: 'key', code: 'KeyA', key: 'a', modifiers: 0, pressed, repeat: false, ...more });
}

const displayed = (...events: string[]) => until(() => room.display.join() === events.join());

describe('a held key', () => {
  it('is released without confirmations, and pressed again when it repeats later', async () => {
    const client = await room.enter({ tellsHeld: true });
    key(client, true);
    await displayed('key 38 down', 'key 38 up');
    key(client, true, { repeat: true });
    await displayed('key 38 down', 'key 38 up', 'key 38 down', 'key 38 up');
  });

  it('stays released when its messages were delayed with its release behind them', async () => {
    const client = await room.enter({ tellsHeld: true });
    key(client, true);
    await displayed('key 38 down', 'key 38 up');
    client.socket.send(encodeControl({ type: 'held' }));
    key(client, false);
    await client.settled();
    assert.deepEqual(room.display, ['key 38 down', 'key 38 up']);
  });

  it('stays released if it is part of a shortcut, which must not act twice', async () => {
    const client = await room.enter({ tellsHeld: true });
    const control = { modifiers: Modifier.control };
    key(client, true, { code: 'ControlLeft', ...control });
    key(client, true, control);
    await until(() => room.display.at(-1) === 'key 38 up');
    for (let times = 0; times < 3; times++) key(client, true, { repeat: true, ...control });
    await client.settled();
    assert.equal(room.display.filter((event) => event === 'key 38 down').length, 1);
    key(client, false, control);
    key(client, true, control);
    await until(() => room.display.filter((event) => event === 'key 38 down').length === 2);
  });

  it('stays down for a viewer that sends no confirmations', async () => {
    const quiet = await room.enter();
    key(quiet, true, { code: 'KeyB' });
    await displayed('key 38 down');
    const other = await room.enter({ tellsHeld: true });
    key(other, true);
    await displayed('key 38 down', 'key 38 down', 'key 38 up');
  });

  it('stays down if it is a modifier, which does not repeat', async () => {
    const client = await room.enter({ tellsHeld: true });
    key(client, true, { code: 'ShiftLeft', modifiers: Modifier.shift });
    await until(() => room.display.length === 1);
    const [shift = ''] = room.display;
    key(client, true, { modifiers: Modifier.shift });
    await displayed(shift, 'key 38 down', 'key 38 up');
  });
});
