import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { firstRights, withPermissions, withRoles } from '../../../server/src/host/room/users/rights.js';
import { KnownUsers } from '../../../server/src/host/room/users/known-users.js';

const rights = firstRights({ controlDisabled: false, roles: ['control', 'resize'] }, {});

describe('the users of a session', () => {
  it('come back with the right secret only, and with the rights they had', () => {
    const users = new KnownUsers(() => false);
    const first = users.admit('user-1', undefined, rights, 0);
    first.rights = withRoles(first.rights, ['resize'], false);
    const resume = { userId: 'user-1', secret: first.secret };
    assert.equal(users.admit('user-2', resume, rights, 5), first);
    assert.deepEqual([...first.rights.roles], ['control']);
    const guess = { userId: 'user-1', secret: 'wrong' };
    assert.equal(users.admit('user-3', guess, rights, 5).id, 'user-3');
    const nobody = { userId: 'nobody', secret: first.secret };
    assert.equal(users.admit('user-4', nobody, rights, 5).id, 'user-4');
  });

  it('are forgotten when too many have left, but never while they are here', () => {
    const users = new KnownUsers((id) => id === 'user-0');
    for (let count = 0; count <= 1_000; count++) users.admit(`user-${count}`, undefined, rights, 0);
    assert.equal(users.get('user-0')?.id, 'user-0');
    assert.equal(users.get('user-1'), undefined);
    assert.equal(users.get('user-1000')?.id, 'user-1000');
  });

  it('who were removed are strangers', () => {
    const users = new KnownUsers(() => false);
    const first = users.admit('user-1', undefined, rights, 0);
    users.forget('user-1');
    assert.equal(users.identify('user-2', { userId: 'user-1', secret: first.secret }), 'user-2');
  });
});

describe('rights', () => {
  it('keep what a change does not name', () => {
    const changed = withPermissions(rights, { priority: 3 });
    assert.deepEqual(changed.permissions, { priority: 3, idle_timeout: 0, control_disabled: false });
    assert.deepEqual(withPermissions(changed, {}), changed);
  });

  it('hold the role control when control is expressly not disabled', () => {
    const none = firstRights({ controlDisabled: true, roles: [] }, {});
    assert.deepEqual([...withPermissions(none, { control_disabled: false }).roles], ['control']);
    assert.deepEqual([...withPermissions(none, { priority: 1 }).roles], []);
  });
});
