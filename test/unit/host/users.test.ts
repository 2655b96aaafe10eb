import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  firstRights,
  mayControl,
  returningRights,
  rolesOf,
  withPermissions,
  withRoles,
} from '../../../server/src/host/room/users/rights.js';
import { KnownUsers } from '../../../server/src/host/room/users/known-users.js';

const session = { controlDisabled: false, roles: ['control', 'resize'], tiedRoles: [] } as const;
const rights = firstRights(session, {});

describe('the users of a session', () => {
  it('come back with the right secret only, and with the rights they had', () => {
    const users = new KnownUsers(() => false);
    const first = users.admit('user-1', rights, {}, 0);
    first.rights = withRoles(first.rights, ['resize'], false);
    assert.equal(users.returning({ userId: 'user-1', secret: first.secret }), first);
    assert.deepEqual([...first.rights.roles], ['control']);
    assert.equal(users.returning({ userId: 'user-1', secret: 'wrong' }), undefined);
    assert.equal(users.returning({ userId: 'nobody', secret: first.secret }), undefined);
    assert.equal(users.returning(undefined), undefined);
  });

  it('are forgotten when too many have left, but never while they are here', () => {
    const users = new KnownUsers((id) => id === 'user-0');
    for (let count = 0; count <= 1_000; count++) users.admit(`user-${count}`, rights, {}, 0);
    assert.equal(users.get('user-0')?.id, 'user-0');
    assert.equal(users.get('user-1'), undefined);
    assert.equal(users.get('user-1000')?.id, 'user-1000');
  });

  it('who were removed are strangers', () => {
    const users = new KnownUsers(() => false);
    const first = users.admit('user-1', rights, {}, 0);
    users.forget('user-1');
    assert.equal(users.returning({ userId: 'user-1', secret: first.secret }), undefined);
  });
});

describe('rights', () => {
  it('keep what a change does not name', () => {
    const changed = withPermissions(rights, { priority: 3 });
    assert.deepEqual(changed.permissions, { priority: 3, idle_timeout: 0, control_disabled: false });
    assert.deepEqual(withPermissions(changed, {}), changed);
  });

  it('hold the role control when control is expressly not disabled', () => {
    const none = firstRights({ controlDisabled: true, roles: [], tiedRoles: [] }, {});
    assert.deepEqual([...withPermissions(none, { control_disabled: false }).roles], ['control']);
    assert.deepEqual([...withPermissions(none, { priority: 1 }).roles], []);
  });
});

describe('the rights of a session without control by default', () => {
  const roles = ['control', 'resize'] as const;
  const none = firstRights({ controlDisabled: true, roles: [], tiedRoles: roles }, {});

  it('are none, all of them with control, and none again without it', () => {
    assert.deepEqual([...rolesOf(none)], []);
    const granted = withPermissions(none, { control_disabled: false });
    assert.deepEqual([[...rolesOf(granted)], mayControl(granted)], [[...roles], true]);
    assert.deepEqual([...rolesOf(withPermissions(granted, { control_disabled: true }))], []);
  });

  it('lack what an admin took away by name, and have what one gave', () => {
    const changed = withRoles(withRoles(none, ['resize'], false), ['chrome_apis'], true);
    assert.deepEqual([...rolesOf(changed)], ['chrome_apis']);
    const granted = withPermissions(changed, { control_disabled: false });
    assert.deepEqual([...rolesOf(granted)], ['chrome_apis', 'control']);
  });
});

describe('the rights of a user who comes back', () => {
  const before = { priority: 5, control_disabled: false };
  const rights = firstRights({ ...session, controlDisabled: true }, before);
  const again = (said: object, from = rights) =>
    returningRights(from, { ...session, controlDisabled: true }, before, said).permissions;

  it('are those of the new answer, and the session’s where it is silent', () => {
    assert.deepEqual(again({ idle_timeout: 9 }), { priority: 0, idle_timeout: 9, control_disabled: true });
    assert.deepEqual(again(before), rights.permissions);
  });

  it('keep what an admin changed and the answer does not name', () => {
    const changed = withPermissions(rights, { priority: 7 });
    assert.equal(again({}, changed).priority, 7);
    assert.equal(again({ priority: 1 }, changed).priority, 1);
  });
});
