import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { SessionUser } from 'cloud-browser/protocol';
import { FakeRoom, until, type RawClient } from '../../fakes/fake-room.js';

let room: FakeRoom;
let admin: RawClient;
let one: RawClient;
let two: RawClient;
beforeEach(async () => {
  room = await FakeRoom.open();
  [admin, one, two] = [await room.enter(), await room.enter(), await room.enter()];
});
afterEach(() => room.close());

/** Whose input counts, by trying: each moves the pointer to a place of its own. */
async function whoMoves(): Promise<string[]> {
  const clients = { admin, one, two };
  const moved: string[] = [];
  room.display.length = 0;
  for (const [index, [name, client]] of Object.entries(clients).entries()) {
    client.move(index, 0);
    await client.settled();
    if (room.display.at(-1) === `move ${index} 0`) moved.push(name);
  }
  return moved;
}

const codeOf = async (answer: ReturnType<RawClient['call']>) => (await answer).error?.code;

describe('control', () => {
  it('that is asked for is a matter of admins', async () => {
    await admin.admin('subscribe', 'control.onRequested');
    await two.call('subscribe', ['control.onRequested']);
    await one.call('control.request');
    await until(() => admin.events.length === 1);
    assert.equal((admin.events[0]?.args[0] as SessionUser).id, one.id);
    assert.deepEqual(two.events, []);
  });

  it('goes from hand to hand, whatever the rights, and back to the priorities', async () => {
    await admin.admin('setPermissions', admin.id, { priority: 5 });
    await admin.admin('setPermissions', one.id, { control_disabled: true });
    await admin.admin('control.give', one.id);
    assert.deepEqual(await whoMoves(), ['one']);
    await one.call('control.give', [two.id]);
    assert.deepEqual(await whoMoves(), ['two']);
    await admin.admin('control.take');
    assert.deepEqual(await whoMoves(), ['admin']);
    await admin.admin('control.give', null);
    await admin.admin('setPermissions', admin.id, { priority: 0 });
    assert.deepEqual(await whoMoves(), ['admin', 'two']);
  });

  it('is given by nobody who has to share it, and to nobody who may not have it', async () => {
    assert.equal(await codeOf(one.call('control.give', [two.id])), 'err_forbidden');
    await admin.admin('control.give', one.id);
    await admin.admin('removeRoles', [two.id], ['control']);
    assert.equal(await codeOf(one.call('control.give', [two.id])), 'err_forbidden');
    assert.equal(await codeOf(one.call('control.give', [null])), 'err_forbidden');
    assert.deepEqual(await whoMoves(), ['one']);
  });

  it('that was handed over is lost when it is taken away by name', async () => {
    for (const take of [
      () => admin.admin('setPermissions', one.id, { control_disabled: true }),
      () => admin.admin('removeRoles', [one.id], ['control']),
    ]) {
      await admin.admin('control.give', one.id);
      await take();
      assert.deepEqual(await whoMoves(), ['admin', 'two']);
    }
  });

  it('cannot be given to somebody who is not here', async () => {
    await admin.admin('subscribe', 'users.onLeft');
    two.socket.terminate();
    await until(() => admin.events.length === 1);
    await assert.rejects(admin.admin('control.give', two.id), /is not connected/);
    await assert.rejects(admin.admin('control.give', 'nobody'), /no user nobody/);
  });
});

describe('privacy mode', () => {
  const noticesOf = ({ told }: RawClient) =>
    told.filter((message) => message.type === 'privacy').map(({ userId }) => userId);

  it('shuts the others out, newcomers too, until it is off', async () => {
    await admin.admin('addRoles', [two.id], ['cursor_data']);
    await two.call('subscribe', ['users.onPointer']);
    assert.equal(await codeOf(one.call('enablePrivacyMode')), undefined);
    const late = await room.enter();
    room.room.showCursor({ type: 'cursor', shape: 'none' });
    assert.deepEqual(await whoMoves(), ['one']);
    await late.settled();
    assert.deepEqual([noticesOf(two), noticesOf(late)], [[one.id], [one.id]]);
    assert.deepEqual(two.events, []);
    for (const { told } of [two, late]) assert.ok(!told.some(({ type }) => type === 'cursor'));
    assert.deepEqual(room.restarted, []);

    assert.equal(await codeOf(two.call('disablePrivacyMode')), 'err_forbidden');
    assert.equal(await codeOf(two.call('enablePrivacyMode')), 'err_forbidden');
    await one.call('disablePrivacyMode');
    await late.settled();
    assert.deepEqual(noticesOf(late), [one.id, null]);
    assert.ok(late.told.some(({ type }) => type === 'cursor'));
    assert.deepEqual(room.restarted, [admin.id, two.id, late.id]);
    assert.deepEqual(await whoMoves(), ['admin', 'one', 'two']);
  });

  it('ends when its user leaves, and when an admin says so', async () => {
    await one.call('enablePrivacyMode');
    await admin.admin('disablePrivacyMode');
    assert.deepEqual(await whoMoves(), ['admin', 'one', 'two']);
    await two.call('enablePrivacyMode');
    two.socket.terminate();
    await until(() => noticesOf(one).length === 4);
    assert.deepEqual(noticesOf(one), [one.id, null, two.id, null]);
  });

  it('lasts while its user changes connections', async () => {
    await one.call('enablePrivacyMode');
    const again = await room.enter({ resume: { userId: one.id, secret: one.welcome?.secret } });
    await until(() => one.closed);
    await again.settled();
    await two.settled();
    assert.deepEqual([noticesOf(again), noticesOf(two)], [[one.id], [one.id]]);
    one = again;
    assert.deepEqual(await whoMoves(), ['one']);
  });
});
