import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  firstRights,
  mayControl,
  returningRights,
  rolesOf,
  withPermissions,
  withRoles,
} from '../../../../server/src/host/room/users/rights.js';
import type { AdmittedBy } from '../../../../server/src/host-protocol.js';
import { KnownUsers, type User } from '../../../../server/src/host/room/users/known-users.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

const session = { controlDisabled: false, roles: ['control', 'resize'], tiedRoles: [] } as const;
const rights = firstRights(session, {});

describe('the users of a session', () => {
  it('return only with the right secret, and with their earlier rights', () => {
    const users = new KnownUsers(() => false);
    const first = users.admit('user-1', rights, {}, 0);
    first.rights = withRoles(first.rights, ['resize'], false);
    assert.equal(users.returning({ userId: 'user-1', secret: first.secret }), first);
    assert.deepEqual([...first.rights.roles], ['control']);
    assert.equal(users.returning({ userId: 'user-1', secret: 'wrong' }), undefined);
    assert.equal(users.returning({ userId: 'nobody', secret: first.secret }), undefined);
    assert.equal(users.returning(undefined), undefined);
  });

  it('are forgotten when too many have left, but never while they are connected', () => {
    const users = new KnownUsers((id) => id === 'user-0');
    for (let count = 0; count <= 1_000; count++) users.admit(`user-${count}`, rights, {}, 0);
    assert.equal(users.get('user-0')?.id, 'user-0');
    assert.equal(users.get('user-1'), undefined);
    assert.equal(users.get('user-1000')?.id, 'user-1000');
  });

  it('are not forgotten if their token sets their id, because they would get back taken roles', () => {
    const users = new KnownUsers(() => false);
    const token = { tokenId: 't', scope: 'control', fixesUser: true } as const;
    const ada = users.admit('ada', rights, {}, 0, { token });
    ada.rights = withRoles(ada.rights, ['control'], false);
    for (let count = 1; count <= 2_000; count++) users.admit(`user-${count}`, rights, {}, 0);
    assert.deepEqual([...(users.get('ada')?.rights.roles ?? [])], ['resize']);
    assert.equal([...users.all()].length, 1_000);
  });

  it('of one token share a limit of messages, so that more connections do not multiply it', () => {
    const clock = new ManualClock();
    const users = new KnownUsers(() => true, clock);
    const admitted = (count: number, token?: AdmittedBy) =>
      Array.from({ length: count }, (_, index) =>
        users.admit(`${token?.tokenId ?? 'embed'}-${index}`, rights, {}, 0, { token }),
      );
    const stranger = { tokenId: 'stranger', scope: 'view', fixesUser: false } as const;
    const crowd = admitted(8, stranger);
    const others = [...admitted(1, { ...stranger, tokenId: 'other' }), ...admitted(1)];
    /** Returns the number of messages that these users can send, each at most as many as one user alone. */
    const sent = (senders: User[], each: number) =>
      senders
        .flatMap(({ guard }) => Array.from({ length: each }, () => guard.takes(1, false)))
        .filter(Boolean).length;
    assert.equal(sent(crowd, 600), 4 * 600);
    assert.equal(sent(others, 600), 2 * 600, 'other tokens and the embed URL are not limited by it');
    clock.advance(1_000);
    assert.equal(sent(crowd, 300), 4 * 300);
  });

  it('who were removed are treated as new users', () => {
    const users = new KnownUsers(() => false);
    const first = users.admit('user-1', rights, {}, 0);
    users.forget('user-1');
    assert.equal(users.returning({ userId: 'user-1', secret: first.secret }), undefined);
  });
});

describe('rights of users', () => {
  it('keep values that a change does not name', () => {
    const changed = withPermissions(rights, { priority: 3 });
    assert.deepEqual(changed.permissions, { priority: 3, idle_timeout: 0, control_disabled: false });
    assert.deepEqual(withPermissions(changed, {}), changed);
  });

  it('include the role control when control is explicitly enabled', () => {
    const none = firstRights({ controlDisabled: true, roles: [], tiedRoles: [] }, {});
    assert.deepEqual([...withPermissions(none, { control_disabled: false }).roles], ['control']);
    assert.deepEqual([...withPermissions(none, { priority: 1 }).roles], []);
  });
});

describe('the rights of a session without control by default', () => {
  const roles = ['control', 'resize'] as const;
  const none = firstRights({ controlDisabled: true, roles: [], tiedRoles: roles }, {});

  // Proves: control_disable_default; default_roles
  it('are empty, include all roles with control, and are empty again without it', () => {
    assert.deepEqual([...rolesOf(none)], []);
    const granted = withPermissions(none, { control_disabled: false });
    assert.deepEqual([[...rolesOf(granted)], mayControl(granted)], [[...roles], true]);
    assert.deepEqual([...rolesOf(withPermissions(granted, { control_disabled: true }))], []);
  });

  it('exclude what an admin removed by name, and include what one granted', () => {
    const changed = withRoles(withRoles(none, ['resize'], false), ['chrome_apis'], true);
    assert.deepEqual([...rolesOf(changed)], ['chrome_apis']);
    const granted = withPermissions(changed, { control_disabled: false });
    assert.deepEqual([...rolesOf(granted)], ['chrome_apis', 'control']);
  });
});

describe('the rights of a user who returns', () => {
  const before = { priority: 5, control_disabled: false };
  const rights = firstRights({ ...session, controlDisabled: true }, before);
  const again = (said: object, from = rights) =>
    returningRights(from, { ...session, controlDisabled: true }, before, said).permissions;

  it("are those of the new answer, with the session's defaults", () => {
    assert.deepEqual(again({ idle_timeout: 9 }), { priority: 0, idle_timeout: 9, control_disabled: true });
    assert.deepEqual(again(before), rights.permissions);
  });

  it("keep an admin's changes that the answer does not name", () => {
    const changed = withPermissions(rights, { priority: 7 });
    assert.equal(again({}, changed).priority, 7);
    assert.equal(again({ priority: 1 }, changed).priority, 1);
  });
});
