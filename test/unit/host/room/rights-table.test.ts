import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ROLES, type Role } from 'cloud-browser/protocol';
import { canSee, canUse } from '../../../../server/src/host/room/users/can-use.js';
import { firstRights } from '../../../../server/src/host/room/users/rights.js';
import { FeatureRoom } from '../../../fakes/feature-room.js';
import { ADMIN_TOKEN, type RawClient } from '../../../fakes/fake-room.js';
import { FEATURES } from '../features.js';

const root = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

/** A row of the table of docs/users.md. */
interface Row {
  feature: string;
  roles: Role[];
  /** The table's cells for each {@link CASES}. */
  says: (string | undefined)[];
}

/** The columns of the table, after the feature and its roles. */
const CASES = [
  { who: 'a user with the roles', roles: true, admin: false, shutOut: false },
  { who: 'an admin without the roles', roles: false, admin: true, shutOut: false },
  { who: 'a user with the roles in another’s privacy mode', roles: true, admin: false, shutOut: true },
  { who: 'an admin without the roles in another’s privacy mode', roles: false, admin: true, shutOut: true },
] as const;

const guide = await readFile(root('docs/users.md'), 'utf8');
const [, table = ''] = /^\| Feature .*\n\|.*\n((?:\|.*\n)+)/m.exec(guide) ?? [];
const rows = table
  .trimEnd()
  .split('\n')
  .map((line): Row => {
    const [feature = '', roles = '', ...says] = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
    return { feature, roles: ROLES.filter((role) => roles.includes(`\`${role}\``)), says };
  });

let room: FeatureRoom;
beforeEach(async () => (room = await FeatureRoom.open()));
afterEach(() => room.close());

describe('the table of rights in the documentation', () => {
  it('names each feature once, and each role', () => {
    assert.deepEqual(rows.map(({ feature }) => feature).toSorted(), Object.keys(FEATURES).toSorted());
    const named = new Set(rows.flatMap(({ roles }) => roles));
    assert.deepEqual([...named].toSorted(), [...ROLES].toSorted());
  });

  for (const { feature, roles, says } of rows)
    for (const [column, { who, roles: hasRoles, admin, shutOut }] of CASES.entries())
      it(`is correct for “${feature}” and ${who}`, async () => {
        assert.match(says[column] ?? '', /^(yes|no)$/);
        const way = FEATURES[feature] ?? assert.fail('There is no such feature.');
        const client = await room.enter(hasRoles ? roles : []);
        const attempt = { room, client, token: admin ? ADMIN_TOKEN : undefined };
        await way.prepare?.(attempt);
        const owner = shutOut ? await room.enter(['control']) : undefined;
        await owner?.admin('enablePrivacyMode');
        assert.equal(await way.attempt({ ...attempt, owner }), says[column] === 'yes');
      });

  for (const { feature, roles } of rows)
    if (roles.length > 0)
      it(`is correct for “${feature}” and a user without a role, or without one of several`, async () => {
        const way = FEATURES[feature] ?? assert.fail('There is no such feature.');
        const lacking = roles.length > 1 ? roles.map((role) => roles.filter((one) => one !== role)) : [];
        for (const held of [[], ...lacking]) {
          const attempt = { room, client: await room.enter(held), token: undefined };
          await way.prepare?.(attempt);
          assert.equal(await way.attempt(attempt), false, held.join());
          attempt.client.socket.terminate();
        }
      });
});

describe('a user who joins in the privacy mode of another user', () => {
  it('does not get the dialog of the page, not even for a moment', async () => {
    const owner = await room.enter(['control']);
    room.openDialog();
    await owner.settled();
    await owner.admin('enablePrivacyMode');
    const late = await room.enter(['control']);
    await late.settled();
    const dialogsOf = ({ told }: RawClient) => told.filter(({ type }) => type === 'dialog').length;
    assert.deepEqual([dialogsOf(owner), dialogsOf(late)], [1, 0]);
  });
});

describe('the rule for rights', () => {
  const holder = (roles: readonly Role[], admin: boolean, shutOut: boolean) => ({
    ...{ admin, shutOut },
    rights: firstRights({ controlDisabled: false, roles, tiedRoles: [] }, {}),
  });

  it("requires the role or the token, only the token in another user's privacy mode, and only the role for control and masked fields", () => {
    for (const role of ROLES) {
      const byHand = role === 'control' || role === 'field_masking';
      const outcome = (held: boolean, admin: boolean, shutOut: boolean) =>
        canUse(holder(held ? [role] : [], admin, shutOut), role);
      assert.deepEqual(
        [outcome(true, false, false), outcome(false, true, false), outcome(false, false, false)],
        [true, !byHand, false],
        role,
      );
      assert.deepEqual(
        [outcome(true, false, true), outcome(false, true, true), outcome(true, true, true)],
        [false, !byHand, !byHand],
        role,
      );
    }
    assert.ok(!canUse({ ...holder(['control'], true, false), rights: disabled() }, 'control'));
    assert.deepEqual([canSee({ shutOut: false }), canSee({ shutOut: true })], [true, false]);
  });

  const disabled = () => firstRights({ controlDisabled: true, roles: ['control'], tiedRoles: [] }, {});

  it('is used everywhere: no other code reads roles or exclusions', async () => {
    const host = root('server/src/host');
    const files = (await readdir(host, { recursive: true })).filter((name) => name.endsWith('.ts'));
    const deciding: string[] = [];
    for (const name of files) {
      const decides = [join('room', 'users'), join('features', 'privacy')];
      if (decides.some((folder) => name.startsWith(folder))) continue;
      const code = await readFile(join(host, name), 'utf8');
      if (/\b(hasRole|mayControl|rolesOf)\b|\.roles\.has|\.shutOut\b/.test(code)) deciding.push(name);
    }
    assert.deepEqual(deciding, []);
  });
});
