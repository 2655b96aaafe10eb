import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { ViewerMessage } from 'cloud-browser/protocol';
import { encodeControl } from 'cloud-browser/protocol';
import { FakeRoom, until, type RawClient } from '../../../fakes/fake-room.js';

let room: FakeRoom;
afterEach(() => room.close());

const say = (client: RawClient, message: ViewerMessage) => client.socket.send(encodeControl(message));
const fill = (client: RawClient, width: number, height: number) =>
  say(client, { type: 'box', box: { width, height } });
const sizes = () => room.shapes.map(({ width, height }) => `${width}x${height}`);

describe('the box of a viewer', () => {
  it("sets the screen size, and the next viewer's does when that viewer loses control or the role", async () => {
    room = await FakeRoom.open();
    const [admin, one, two] = [await room.enter(), await room.enter(), await room.enter()];
    fill(one, 800, 600);
    await until(() => sizes().length === 1);
    fill(two, 390, 844);
    await two.settled();
    assert.deepEqual(sizes(), ['800x600']);
    await admin.admin('control.give', two.id);
    await until(() => sizes().length === 2);
    await admin.admin('removeRoles', [two.id], ['resize']);
    await admin.admin('control.give', one.id);
    await until(() => sizes().length === 3);
    assert.deepEqual(sizes(), ['800x600', '390x844', '800x600']);
  });

  // Proves: POST {session}/pinSize
  it('has no effect without the right to resize, and while an admin has pinned the size', async () => {
    room = await FakeRoom.open();
    room.handover = { roles: ['control'] };
    const [admin, one] = [await room.enter(), await room.enter()];
    fill(one, 800, 600);
    await one.settled();
    assert.equal((await one.call('pinSize')).error?.code, 'err_forbidden');
    await admin.admin('pinSize');
    await admin.admin('addRoles', [one.id], ['resize']);
    assert.equal((await one.call('resize', [900, 600])).error?.code, 'err_forbidden');
    fill(one, 700, 600);
    await one.settled();
    assert.deepEqual(sizes(), []);
    await admin.admin('resize', 1000, 600);
    await admin.admin('pinSize', false);
    await until(() => sizes().length === 2);
    assert.deepEqual(sizes(), ['1000x600', '700x600']);
  });

  it('that changes a thousand times a second changes the screen a few times, or disconnects its viewer', async () => {
    room = await FakeRoom.open();
    const [flooder, other] = [await room.enter(), await room.enter()];
    for (let count = 0; count < 1_000; count++) fill(flooder, 300 + count, 600);
    await until(() => flooder.closed);
    await other.settled();
    // Three at once, and then four a second.
    assert.ok(sizes().length <= 6, sizes().join(' '));
  });

  it('that disappears and returns counts once as a size change', async () => {
    room = await FakeRoom.open();
    const user = await room.enter();
    for (let count = 0; count < 100; count++) say(user, { type: 'box', box: null });
    fill(user, 800, 600);
    await until(() => sizes().length === 1);
    await user.settled();
    assert.equal(user.closed, undefined);
  });

  it('that is invalid ends the connection', async () => {
    room = await FakeRoom.open();
    for (const box of [
      7,
      {},
      { width: 0, height: 5 },
      { width: 1e9, height: 5 },
      { width: '5', height: 5 },
    ]) {
      const client = await room.enter();
      client.socket.send(JSON.stringify({ type: 'box', box }));
      await until(() => client.closed);
    }
    assert.deepEqual(sizes(), []);
  });
});

describe('the pixel ratio of viewers', () => {
  it('is sent to a session in auto mode, from the first viewer only', async () => {
    room = await FakeRoom.open({ width: 640, height: 360, followsRatio: true });
    await room.enter();
    await room.enter({ pixelRatio: 2 });
    await until(() => room.shapes.length === 1);
    await room.enter({ pixelRatio: 3 });
    const late = await room.enter({ pixelRatio: 'fine' });
    assert.deepEqual(room.shapes, [{ width: 640, height: 360, pixelRatio: 2 }]);
    const { width, height, pixelRatio } = late.welcome ?? {};
    assert.deepEqual({ width, height, pixelRatio }, { width: 1280, height: 720, pixelRatio: 2 });
  });
});
