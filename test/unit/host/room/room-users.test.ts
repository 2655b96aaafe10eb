import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  reasonOfCloseCode,
  type CallErrorCode,
  type SessionMethod,
  type SessionUser,
} from 'cloud-browser/protocol';
import { systemClock } from '../../../../server/src/platform/time/clock.js';
import { AGENT_DEFAULTS } from '../../../../server/src/host/room/agents/agents.js';
import { ADMIN_TOKEN, FakeRoom, MAX_VIEWERS, RawClient, until } from '../../../fakes/fake-room.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

let room: FakeRoom;
beforeEach(async () => (room = await FakeRoom.open()));
afterEach(() => room.close());

const namesOf = ({ events }: RawClient) => events.map(({ name }) => name);
const codeOf = async (answer: ReturnType<RawClient['call']>) => (await answer).error?.code;

describe('a user whose control is taken', () => {
  it("has released all keys before the other user's input is processed", async () => {
    const low = await room.enter();
    const high = await room.enter();
    low.input({ type: 'key', modifiers: 0, pressed: true, repeat: false, code: 'KeyA', key: 'a' });
    low.input({ type: 'button', modifiers: 0, pressed: true, button: 0, x: 1, y: 2 });
    await low.settled();
    await high.admin('setPermissions', high.id, { priority: 1 });
    high.move(5, 6);
    await high.settled();
    low.move(7, 8);
    low.input({ type: 'key', modifiers: 0, pressed: true, repeat: true, code: 'KeyA', key: 'a' });
    await low.settled();
    const ofLow = ['key 38 down', 'move 1 2', 'button 1 down', 'key 38 up', 'button 1 up'];
    assert.deepEqual(room.display, [...ofLow, 'move 5 6']);
  });

  it('is notified of the loss and the return of control', async () => {
    room.close();
    // With the machine's clock, a slow machine makes the other user idle before they get priority.
    const clock = new ManualClock();
    room = await FakeRoom.open({}, systemClock, AGENT_DEFAULTS, clock);
    const low = await room.enter();
    const high = await room.enter();
    await low.call('subscribe', ['users.onChanged']);
    await high.admin('setPermissions', high.id, { priority: 1, idle_timeout: 300 });
    await until(() => low.events.length === 1);
    clock.advance(300);
    await until(() => low.events.length === 2);
    assert.deepEqual(
      low.events.map(({ args: [user] }) => [(user as SessionUser).id, (user as SessionUser).controlling]),
      [
        [low.id, false],
        [low.id, true],
      ],
    );
  });
});

describe('a modified client', () => {
  let admin: RawClient;
  let client: RawClient;
  beforeEach(async () => {
    admin = await room.enter();
    client = await room.enter();
    await admin.admin('setPermissions', client.id, { control_disabled: true });
    await admin.admin('removeRoles', [client.id], ['chrome_apis', 'resize', 'control', 'privacy']);
  });

  it('moves nothing', async () => {
    client.move(1, 1);
    client.input({ type: 'button', modifiers: 0, pressed: true, button: 0, x: 1, y: 2 });
    client.input({ type: 'key', modifiers: 0, pressed: true, repeat: false, code: 'KeyA', key: 'a' });
    client.input({ type: 'text', modifiers: 0, text: 'x' });
    client.input({ type: 'touch', modifiers: 0, phase: 'start', points: [{ id: 1, x: 1, y: 1 }] });
    await client.settled();
    assert.deepEqual(room.display, []);
  });

  it('receives no cursors of others, also on request', async () => {
    await client.call('subscribe', ['users.onPointer']);
    admin.move(640, 360);
    await admin.settled();
    await client.settled();
    assert.deepEqual(client.events, []);
  });

  it('is refused every admin call, with any invented token', async () => {
    const calls: [SessionMethod, unknown[]][] = [
      ['users.list', []],
      ['setPermissions', [client.id, { control_disabled: false }]],
      ['addRoles', [[client.id], ['control']]],
      ['removeRoles', [[], ['control'], true]],
      ['kick', [admin.id]],
      ['control.take', []],
      ['control.give', [client.id]],
      ['enablePrivacyMode', []],
      ['subscribe', ['users.onJoined']],
      ['subscribe', ['users.onLeft']],
    ];
    for (const [method, args] of calls)
      assert.equal(await codeOf(client.call(method, args, 'guessed')), 'err_forbidden', method);
    assert.deepEqual((await client.me()).roles, []);
  });

  it('receives no data about other users', async () => {
    for (const event of ['users.onChanged', 'control.onRequested']) await client.call('subscribe', [event]);
    const other = await room.enter();
    await admin.admin('setPermissions', other.id, { priority: 4 });
    await other.call('control.request');
    await client.settled();
    assert.deepEqual(client.events, []);
  });

  it('has no effect after its removal', async () => {
    await admin.admin('setPermissions', client.id, { control_disabled: false });
    await admin.admin('kick', client.id);
    client.move(9, 9);
    await until(() => client.closed);
    assert.equal(reasonOfCloseCode(client.closed ?? 0), 'kicked');
    assert.deepEqual(room.display, []);
    const again = await room.enter({ resume: { userId: client.id, secret: client.welcome?.secret } });
    assert.notEqual(again.id, client.id);
  });
});

it('a user replaces their own earlier connection, also in a session with its maximum of viewers', async () => {
  const clients: RawClient[] = [];
  while (clients.length < MAX_VIEWERS) clients.push(await room.enter());
  const [first] = clients;
  assert.ok(first);
  // The network of the user has changed, and the host has not noticed the end of the old connection yet.
  const again = await room.enter({ resume: { userId: first.id, secret: first.welcome?.secret } });
  assert.equal(again.id, first.id);
  await until(() => first.closed);
  const other = await RawClient.open(Number(new URL(room.url).port), {});
  assert.equal(reasonOfCloseCode(await until(() => other.closed)), 'full');
});

describe('changes of rights', () => {
  it('survive a reconnect, also when they were made meanwhile', async () => {
    const admin = await room.enter();
    const user = await room.enter();
    await admin.admin('setPermissions', user.id, { priority: 3 });
    await admin.admin('subscribe', 'users.onLeft');
    user.socket.terminate();
    await until(() => admin.events.length === 1);
    await admin.admin('removeRoles', [], ['resize'], true);
    const again = await room.enter({ resume: { userId: user.id, secret: user.welcome?.secret } });
    const { id, permissions, roles } = await again.me();
    assert.deepEqual([id, permissions.priority, roles], [user.id, 3, ['chrome_apis', 'control', 'privacy']]);
  });

  it('keep the permissions that are null', async () => {
    const client = await room.enter();
    await client.admin('setPermissions', client.id, { priority: 3, idle_timeout: 500 });
    const change = { priority: 4, idle_timeout: null, control_disabled: null };
    const { error } = await client.call('setPermissions', [client.id, change], ADMIN_TOKEN);
    assert.equal(error, undefined);
    const { permissions } = await client.me();
    assert.deepEqual(permissions, { priority: 4, idle_timeout: 500, control_disabled: false });
  });

  it('with exclusive apply to all users except the named ones', async () => {
    const [one, two, three] = [await room.enter(), await room.enter(), await room.enter()];
    await one.admin('removeRoles', [two.id], ['control'], true);
    const users = await one.admin('users.list');
    const controls = Object.fromEntries(users.map(({ id, controlling }) => [id, controlling]));
    assert.deepEqual(controls, { [one.id]: false, [two.id]: true, [three.id]: false });
  });

  it('ignore unknown roles without an error', async () => {
    const { id, ...user } = await describeFirst();
    const change = async (method: 'addRoles' | 'removeRoles', ...args: unknown[]) => {
      const { error } = await user.client.call(method, args, ADMIN_TOKEN);
      assert.equal(error, undefined);
      return (await user.client.admin('users.list'))[0]?.roles.toSorted();
    };
    const before = await change('addRoles', [id], []);
    const without = before?.filter((role) => role !== 'resize');
    assert.deepEqual(await change('removeRoles', [id], ['resize', 'of_the_future']), without);
    const unknown = ['of_the_future', '__proto__', ''];
    assert.deepEqual(await change('addRoles', [id], unknown), without);
    assert.deepEqual(await change('removeRoles', [], unknown, true), without);
    assert.deepEqual(await change('addRoles', [id], ['of_the_future', 'resize']), before);
  });

  it('that are invalid are refused with a message, and have no effect', async () => {
    const { id, ...user } = await describeFirst();
    const wrong: [SessionMethod, unknown[], CallErrorCode, RegExp][] = [
      ['setPermissions', ['nobody', {}], 'err_user_not_found', /no user nobody/],
      ['setPermissions', [7, {}], 'err_invalid_parameter', /user_id must be/],
      ['setPermissions', [id], 'err_invalid_parameter', /second argument must be an object/],
      ['setPermissions', [id, { priority: '1' }], 'err_invalid_parameter', /priority must be a number/],
      ['setPermissions', [id, { idle_timeout: -1 }], 'err_invalid_parameter', /idle_timeout .* from 0/],
      ['setPermissions', [id, { control_disabled: 1 }], 'err_invalid_parameter', /true or false/],
      ['addRoles', [id, ['control']], 'err_invalid_parameter', /first argument must be a list/],
      ['addRoles', [[id], 'control'], 'err_invalid_parameter', /roles out of chrome_apis/],
      ['addRoles', [[id], ['control', 7]], 'err_invalid_parameter', /roles out of chrome_apis/],
      ['removeRoles', [[id], ['control'], 'yes'], 'err_invalid_parameter', /exclusive, must be/],
      ['removeRoles', [[id, 'nobody'], ['control']], 'err_user_not_found', /no user nobody/],
      ['kick', ['nobody'], 'err_user_not_found', /no user nobody/],
    ];
    for (const [method, args, code, message] of wrong) {
      const { error } = await user.client.call(method, args, ADMIN_TOKEN);
      assert.equal(error?.code, code, `${method} ${JSON.stringify(args)}`);
      assert.match(error.message, message);
    }
    assert.deepEqual(await user.client.admin('users.list'), [user.info]);
  });

  async function describeFirst() {
    const client = await room.enter();
    const [info] = await client.admin('users.list');
    return { client, info, id: client.id };
  }

  it('and joining and leaving users are reported to admins', async () => {
    const admin = await room.enter();
    for (const event of ['users.onJoined', 'users.onLeft', 'users.onChanged'] as const)
      await admin.admin('subscribe', event);
    const user = await room.enter();
    await admin.admin('addRoles', [user.id], ['cursor_data']);
    user.socket.terminate();
    await until(() => admin.events.length === 3);
    assert.deepEqual(namesOf(admin), ['users.onJoined', 'users.onChanged', 'users.onLeft']);
  });
});

describe("other users' pointers", () => {
  it('are sent as fractions of the screen to users with the role, from users who may control', async () => {
    const [one, two] = [await room.enter(), await room.enter()];
    await one.admin('addRoles', [two.id], ['cursor_data']);
    await two.call('subscribe', ['users.onPointer']);
    await two.call('subscribe', ['users.onPointerLeft']);
    two.move(1, 1);
    one.move(640, 180);
    await until(() => two.events.length === 1);
    one.socket.terminate();
    await until(() => two.events.length === 2);
    const args = two.events.map((event) => event.args);
    assert.deepEqual(args, [[{ userId: one.id, x: 0.5, y: 0.25 }], [one.id]]);
  });
});
