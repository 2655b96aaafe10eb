import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Modifier, type InputWithoutSeq } from 'cloud-browser/protocol';
import { FakeRoom, until, type RawClient } from '../../../fakes/fake-room.js';

let room: FakeRoom;
beforeEach(async () => (room = await FakeRoom.open()));
afterEach(() => room.close());

const at = { x: 1, y: 2, modifiers: 0 };
const key = (modifiers = 0): InputWithoutSeq => ({
  type: 'key',
  ...{ code: 'KeyA', key: 'a', modifiers, pressed: true, repeat: false },
});
const text: InputWithoutSeq = { type: 'text', text: 'abc', modifiers: 0 };

/** Connects again as the same user, whose earlier connection is silent. */
const again = ({ welcome }: RawClient): Promise<RawClient> =>
  room.enter({ resume: { userId: welcome?.userId, secret: welcome?.secret } });
/** Resolves to the input number that a user receives who connects again. */
const learned = async (client: RawClient) => (await again(client)).welcome?.inputSeq;

/** A user whose three events have arrived. */
async function typed(): Promise<RawClient> {
  const client = await room.enter();
  for (let count = 0; count < 3; count++) client.input(text);
  await client.settled();
  return client;
}

describe('the welcome of a user who connects again', () => {
  it('has the number of the newest event that arrived, also of an event that was refused', async () => {
    assert.equal((await room.enter()).welcome?.inputSeq, undefined, 'a new user');
    const client = await typed();
    assert.equal(await learned(client), 3);
    const other = await room.enter();
    await other.admin('setPermissions', client.id, { control_disabled: true });
    const next = await again(client);
    next.input(text, 4);
    await next.settled();
    assert.equal(await learned(client), 4);
    assert.equal(room.display.length, 3);
  });

  it('has 0 if nothing has arrived, and the same number if nothing came meanwhile', async () => {
    assert.equal(await learned(await room.enter()), 0);
    const client = await typed();
    await again(client);
    assert.equal(await learned(client), 3);
  });

  it('has no number for a new page of a user whose token sets the id', async () => {
    room.handover = { userId: 'ann', token: { tokenId: 't', fixesUser: true, scope: 'control' } };
    const first = await typed();
    const second = await room.enter();
    assert.equal(second.id, first.id);
    assert.equal(second.welcome?.inputSeq, undefined);
    second.socket.terminate();
    assert.equal(await learned(second), 0);
  });

  it('comes after the last event of the earlier connection', async () => {
    const client = await typed();
    const [viewer] = room.viewers;
    assert.ok(viewer);
    // The end of a connection takes a moment. Bytes that have arrived are still read.
    viewer.terminate = () => undefined;
    const next = await again(client);
    assert.equal(next.welcome?.inputSeq, 3);
    client.input(text);
    next.input(text, 4);
    await next.settled();
    await until(() => room.display.length === 4);
    assert.equal(await learned(client), 4);
    assert.equal(room.display.length, 4, 'the event acts once');
  });
});

describe('lost events', () => {
  const changes: Record<string, () => unknown> = {
    'the browser shows another page': () => room.pages.onReplaced(),
    'the browser was restarted': () => room.room.useDevices(room.devices),
    'another user was in privacy mode': async () => {
      const other = await room.enter();
      await other.admin('enablePrivacyMode');
      await other.admin('disablePrivacyMode');
    },
    'another user has clicked': async () => {
      const other = await room.enter();
      other.input({ type: 'button', button: 0, pressed: true, ...at });
      await other.settled();
    },
    'another user has touched the screen': async () => {
      const other = await room.enter();
      other.input({ type: 'touch', phase: 'start', points: [{ id: 1, x: 1, y: 1 }], modifiers: 0 });
      await other.settled();
    },
    'another user has pressed a shortcut': async () => {
      const other = await room.enter();
      other.input(key(Modifier.control));
      await other.settled();
    },
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`are not sent again if ${what}`, async () => {
      const client = await typed();
      await change();
      assert.equal(await learned(client), null);
    });

    it(`are sent again if ${what} and its user saw that`, async () => {
      const client = await typed();
      await change();
      await client.settled();
      assert.equal(await learned(client), 3);
    });
  }

  it('are not sent again by a user who has lost control meanwhile', async () => {
    const [client, other] = [await typed(), await room.enter()];
    await other.admin('setPermissions', other.id, { priority: 1 });
    await other.admin('setPermissions', other.id, { priority: 0 });
    assert.equal(await learned(client), null);
  });

  it("are sent again after another user's moves and text, and after the user's own press", async () => {
    const [client, other] = [await typed(), await room.enter()];
    other.move(1, 1);
    other.input(text);
    await other.settled();
    client.input({ type: 'button', button: 0, pressed: true, ...at }, 4);
    await client.settled();
    assert.equal(await learned(client), 4);
  });
});
