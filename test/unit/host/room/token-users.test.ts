import assert from 'node:assert/strict';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { reasonOfCloseCode, ROLES, type Tab } from 'cloud-browser/protocol';
import type { ViewerHandover } from '../../../../server/src/host-protocol.js';
import { forAdmins } from '../../../../server/src/host/room/calls/access.js';
import { PROCESS } from '../../../../server/src/host/room/calls/call-lane.js';
import { secretHash } from '../../../../server/src/platform/secrets.js';
import { DEFAULT_SETTINGS } from '../../../../server/src/sessions/settings/default-settings.js';
import type { Grant } from '../../../../server/src/sessions/tokens/grant.js';
import { viewerRights } from '../../../../server/src/sessions/tokens/viewer-rights.js';
import { FakeRoom, RawClient, until } from '../../../fakes/fake-room.js';

let room: FakeRoom;
beforeEach(async () => (room = await FakeRoom.open()));
afterEach(() => room.close());

/** Connects a user whom a token has admitted. */
function enter(grant: Grant, hello: object = {}): Promise<RawClient> {
  room.handover = handoverOf(grant);
  return room.enter(hello);
}

function handoverOf(grant: Grant): Partial<ViewerHandover> {
  const { userId } = grant;
  return { ...viewerRights(DEFAULT_SETTINGS, grant), ...(userId !== undefined && { userId }) };
}

/** Resolves to the reason for the end of a connection. */
async function ended(client: RawClient): Promise<string | undefined> {
  return reasonOfCloseCode(await until(() => client.closed));
}

const VIEW: Grant = { scope: 'view', tokenId: 'v' };
const CONTROL: Grant = { scope: 'control', tokenId: 'c' };

describe('a user with a token of the scope view', () => {
  it('cannot use the browser, also after an admin has given them roles and permissions', async () => {
    const client = await enter(VIEW);
    await client.admin('addRoles', [client.id], [...ROLES]);
    await client.admin('setPermissions', client.id, { control_disabled: false, priority: 5 });
    client.move(3, 4);
    client.input({ type: 'button', modifiers: 0, x: 3, y: 4, button: 0, pressed: true });
    await client.settled();
    assert.deepEqual(room.display, []);
    const { roles, permissions, controlling } = await client.me();
    assert.deepEqual([roles, permissions.control_disabled, controlling], [['cursor_data'], true, false]);
  });

  it('cannot be given control by an admin', async () => {
    const client = await enter(VIEW);
    await assert.rejects(client.admin('control.give', client.id), /can only watch/);
  });

  it('does not come back with the rights of another token', async () => {
    const user = await enter(CONTROL);
    const { userId, secret } = user.welcome ?? assert.fail();
    user.socket.terminate();
    await once(user.socket, 'close');
    const watcher = await enter(VIEW, { resume: { userId, secret } });
    assert.notEqual(watcher.id, userId);
    assert.deepEqual((await watcher.me()).roles, []);
    const back = await enter(CONTROL, { resume: { userId, secret } });
    assert.equal(back.id, userId);
  });
});

describe('a user with a token of the scope control', () => {
  it('controls a session in which users have no control by default', async () => {
    const settings = { ...DEFAULT_SETTINGS, controlDisabled: true, roles: [] };
    room.handover = viewerRights(settings, CONTROL);
    const client = await room.enter();
    client.move(3, 4);
    await until(() => room.display.length > 0);
    assert.deepEqual(room.display, ['move 3 4']);
  });

  it('has the roles of the token, and the name', async () => {
    const client = await enter({ ...CONTROL, roles: ['file_upload'], name: 'Ada' });
    const { roles, name } = await client.me();
    assert.deepEqual([roles, name], [['file_upload', 'control'], 'Ada']);
  });
});

describe('a token that determines the user', () => {
  const ADA: Grant = { ...CONTROL, userId: 'ada' };

  it('lets the newest window replace the earlier one, with a reason', async () => {
    const first = await enter(ADA);
    assert.equal(first.id, 'ada');
    const second = await enter(ADA);
    assert.equal(second.id, 'ada');
    assert.equal(await ended(first), 'replaced');
    await second.settled();
    assert.equal(second.closed, undefined);
  });

  it('keeps the rights that an admin has changed', async () => {
    const first = await enter(ADA);
    await first.admin('removeRoles', ['ada'], ['resize']);
    const second = await enter(ADA);
    assert.ok(!(await second.me()).roles.includes('resize'));
  });

  it('does not keep the rights of another token for the same user', async () => {
    await enter(ADA);
    const watcher = await enter({ ...VIEW, userId: 'ada' });
    assert.deepEqual((await watcher.me()).roles, []);
  });
});

describe('the end of a token', () => {
  it('disconnects its users with the reason, and nobody else', async () => {
    const [first, second] = [await enter(CONTROL), await enter(CONTROL)];
    const other = await enter(VIEW);
    room.handover = {};
    const own = await room.enter();
    room.endedTokens.end('c', 'token_revoked');
    assert.deepEqual([await ended(first), await ended(second)], ['token_revoked', 'token_revoked']);
    room.endedTokens.end('v', 'token_expired');
    assert.equal(await ended(other), 'token_expired');
    await own.settled();
    assert.equal(own.closed, undefined);
    assert.ok(room.told.some((line) => line.startsWith('sent away') && line.endsWith('token_expired')));
  });

  it('releases keys that its users hold', async () => {
    const client = await enter(CONTROL);
    client.input({ type: 'key', modifiers: 0, code: 'KeyA', key: 'a', pressed: true, repeat: false });
    await until(() => room.display.includes('key 38 down'));
    room.endedTokens.end('c', 'token_revoked');
    await until(() => room.display.includes('key 38 up'));
  });

  it('refuses a connection that was admitted before and says hello after it', async () => {
    room.handover = handoverOf(CONTROL);
    const { port } = new URL(room.url);
    room.endedTokens.end('c', 'token_revoked');
    const late = await RawClient.open(Number(port), {});
    assert.equal(await ended(late), 'token_revoked');
    assert.equal(late.welcome, undefined);
  });

  it('takes the rights of an admin from viewers who have sent it, and their hand-over of control', async () => {
    room.admins.add('a', secretHash('issued'));
    room.handover = {};
    const client = await room.enter();
    const admit = await client.call('control.take', [], 'issued');
    assert.equal(admit.error, undefined);
    assert.equal(room.users.control.holder, client.id);
    room.admins.remove('a');
    room.room.adminsChanged((hash) => room.admins.acceptsHash(hash));
    assert.equal(room.users.control.holder, undefined);
    assert.equal(room.users.roster.viewer(client.id)?.admin, false);
    assert.equal((await client.call('users.list', [], 'issued')).error?.code, 'err_forbidden');
    assert.equal((await client.call('users.list', [])).error?.code, 'err_forbidden');
  });

  it('admits no call that waited for its turn when the token ended', async () => {
    room.admins.add('a', secretHash('issued'));
    room.handover = {};
    const client = await room.enter();
    const [viewer] = room.viewers;
    assert.ok(viewer);
    const rules = { access: forAdmins, check: (args: readonly unknown[]) => args, cost: PROCESS };
    room.calls.add('tabs.create', rules, () => ({}) as Tab);
    const create = { type: 'call', method: 'tabs.create', args: [], adminToken: 'issued' } as const;
    // The rate allows six of these calls at once, so the last one waits.
    const answered = [1, 2, 3, 4, 5, 6, 7].map((id) => room.calls.answer(viewer, { ...create, id }));
    room.admins.remove('a');
    room.room.adminsChanged((hash) => room.admins.acceptsHash(hash));
    await Promise.all(answered);
    await client.settled();
    const codes = client.told.filter((told) => told.type === 'answer').map(({ error }) => error?.code);
    assert.deepEqual(codes.slice(-2), [undefined, 'err_forbidden']);
    assert.equal(viewer.admin, false);
  });
});
