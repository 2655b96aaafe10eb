import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { RemoteField } from 'cloud-browser/protocol';
import { FakeRoom, until, type RawClient } from '../../../fakes/fake-room.js';

const FIELD: RemoteField = {
  ...{ id: 1, place: 'page', inputMode: 'email', enterKeyHint: 'go', capitals: 'none', autocomplete: '' },
  ...{ password: false, multiline: false, rectangle: [10, 20, 300, 30], caret: [14, 25, 0, 20] },
};

let room: FakeRoom;
let one: RawClient;
let two: RawClient;
beforeEach(async () => {
  room = await FakeRoom.open();
  [one, two] = [await room.enter(), await room.enter()];
});
afterEach(() => room.close());

const ask = async (client: RawClient, on = true) => {
  client.socket.send(JSON.stringify({ type: 'focus', on }));
  await client.settled();
};
/** Moves the keyboard to another field. */
const become = (field?: RemoteField) => {
  room.focus.field = field;
  room.focus.onChange();
};
const told = async (client: RawClient) => {
  await client.settled();
  return client.told.flatMap((message) => (message.type === 'focus' ? [message.field?.id ?? null] : []));
};

describe('the focused field', () => {
  it('is watched only while a user who can write requests it', async () => {
    assert.ok(!room.focus.wanted.includes(true));
    await one.admin('setPermissions', two.id, { control_disabled: true });
    await ask(two);
    assert.ok(!room.focus.wanted.includes(true));
    await ask(one);
    assert.equal(room.focus.wanted.at(-1), true);
    await ask(one, false);
    assert.equal(room.focus.wanted.at(-1), false);
    await ask(one);
    assert.equal(room.focus.wanted.at(-1), true);
    one.socket.close();
    await until(() => room.focus.wanted.at(-1) === false);
  });

  it('is sent once to a user who requests it', async () => {
    await ask(one);
    become(FIELD);
    become({ ...FIELD });
    become();
    assert.deepEqual(await told(one), [1, null]);
    assert.deepEqual(await told(two), []);
  });

  it('is sent at once to a later user who requests it', async () => {
    become(FIELD);
    await ask(two);
    assert.deepEqual(await told(two), [1]);
  });

  it('is not sent to users who cannot write, and withdrawn when they lose the right', async () => {
    await ask(one);
    await ask(two);
    await one.admin('setPermissions', two.id, { control_disabled: true });
    become(FIELD);
    assert.deepEqual([await told(one), await told(two)], [[1], []]);
    await one.admin('setPermissions', two.id, { control_disabled: false });
    assert.deepEqual(await told(two), [1]);
    await one.admin('control.give', one.id);
    assert.deepEqual(await told(two), [1, null]);
  });

  it('is empty for excluded users', async () => {
    await ask(two);
    become(FIELD);
    await one.admin('enablePrivacyMode');
    assert.deepEqual(await told(two), [1, null]);
  });

  it('is sent only to users with the role if it is masked', async () => {
    const [join, leave] = [() => undefined, () => undefined];
    room.masked = { hasFocus: () => Promise.resolve(true), join, leave };
    await one.admin('addRoles', [one.id], ['field_masking']);
    await one.admin('removeRoles', [two.id], ['field_masking']);
    await ask(one);
    await ask(two);
    become(FIELD);
    assert.deepEqual([await told(one), await told(two)], [[1], []]);
    room.masked.hasFocus = () => Promise.resolve(false);
    become({ ...FIELD, id: 2 });
    assert.deepEqual([await told(one), await told(two)], [[1, 2], [2]]);
  });

  it('refuses an invalid request', async () => {
    one.socket.send('{"type":"focus","on":"yes"}');
    await new Promise((resolve) => one.socket.once('close', resolve));
    assert.equal(one.closed, 4009);
  });
});
