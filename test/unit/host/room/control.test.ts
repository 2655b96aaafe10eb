import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Permissions } from 'cloud-browser/protocol';
import { Calls } from '../../../../server/src/host/room/calls/calls.js';
import { Control } from '../../../../server/src/host/room/users/control.js';
import { KnownUsers } from '../../../../server/src/host/room/users/known-users.js';
import { firstRights } from '../../../../server/src/host/room/users/rights.js';
import { Roster } from '../../../../server/src/host/room/users/roster.js';
import { until } from '../../../fakes/fake-room.js';

const IDS = ['high', 'middle', 'low'] as const;

/** Three users who have just joined, with priorities 2, 1 and 0, and a manual clock. */
function room(permissions: Partial<Record<(typeof IDS)[number], Partial<Permissions>>> = {}) {
  let time = 0;
  const control = new Control(() => time);
  const users = IDS.map((id, index) => {
    const said = { priority: 2 - index, ...permissions[id] };
    return {
      id,
      lastInput: 0,
      rights: firstRights({ controlDisabled: false, roles: ['control'], tiedRoles: [] }, said),
    };
  });
  for (const user of users) control.enter(user);
  return {
    control,
    at: (moment: number) => {
      time = moment;
    },
    who: () => [...control.controllers()].join(' '),
  };
}

describe('control', () => {
  const idleTimeouts = {
    high: { idle_timeout: 1_000 },
    middle: { idle_timeout: 3_000 },
    low: { idle_timeout: 0 },
  };
  /** At each moment: the event, and the user who controls then. */
  const story: [time: number, what: string, who: string][] = [
    [0, '', 'high'],
    [999, '', 'high'],
    [1_000, '', 'middle'],
    [1_500, 'low acts', 'middle'],
    [2_000, 'middle acts', 'middle'],
    [2_500, 'high acts', 'high'],
    [3_400, 'middle acts', 'high'],
    [3_499, '', 'high'],
    [3_500, '', 'middle'],
    [6_399, '', 'middle'],
    [6_400, '', 'low'],
    [6_500, 'middle acts', 'middle'],
    [6_600, 'high leaves', 'middle'],
    [6_700, 'high acts', 'middle'],
    [9_500, '', 'low'],
    [9_600, 'middle acts', 'middle'],
    [9_700, 'middle leaves', 'low'],
  ];
  it('always belongs to the highest priority that is not idle', () => {
    const { control, at, who } = room(idleTimeouts);
    const seen = story.map(([time, what]) => {
      at(time);
      const [id = '', verb] = what.split(' ');
      if (verb === 'acts') control.touch(id);
      if (verb === 'leaves') control.leave(id);
      return [time, what, who()];
    });
    assert.deepEqual(seen, story);
  });

  const cases: [name: string, permissions: Parameters<typeof room>[0], who: string][] = [
    [
      'several users of equal priority',
      { high: { priority: 0 }, middle: { priority: 0 } },
      'high middle low',
    ],
    ['no user whose control is disabled', { high: { control_disabled: true } }, 'middle'],
    ['the next when priorities change', { low: { priority: 7 } }, 'low'],
    ['a negative priority is last', { high: { priority: -1 }, middle: { priority: -1 } }, 'low'],
  ];
  for (const [name, permissions, who] of cases)
    it(`belongs to the right user: ${name}`, () => assert.equal(room(permissions).who(), who));

  it('never makes users with idle timeout 0 idle', () => {
    const { at, who, control } = room();
    at(1e9);
    assert.deepEqual([who(), control.untilIdle()], ['high', undefined]);
  });

  it('is available to all users with the right when all are idle, then to the first who acts', () => {
    const idleTimeout = 1_000;
    const { control, at, who } = room({
      high: { idle_timeout: idleTimeout },
      middle: { idle_timeout: idleTimeout },
      low: { idle_timeout: idleTimeout },
    });
    assert.equal(control.untilIdle(), 1_000);
    at(1_000);
    assert.equal(who(), 'high middle low');
    control.touch('low');
    assert.equal(who(), 'low');
    at(1_500);
    assert.equal(control.untilIdle(), 500);
  });

  it('stays with an idle user beside active users of the same priority', () => {
    const { at, who } = room({ high: { idle_timeout: 1_000 }, middle: { priority: 2 } });
    at(1_000);
    assert.equal(who(), 'high middle');
  });

  it('that is handed over outranks every priority and right, until its holder is idle or gone', () => {
    const { control, at, who } = room({ low: { idle_timeout: 1_000, control_disabled: true } });
    control.holder = 'low';
    assert.equal(who(), 'low');
    at(1_000);
    assert.equal(who(), 'high');
    control.touch('low');
    assert.equal(who(), 'low');
    control.leave('low');
    assert.equal(who(), 'high');
  });

  it('stays with the person who must answer a dialog, for at most a minute', () => {
    const { control, at, who } = room({ high: { priority: 0 }, middle: { control_disabled: true } });
    const rights = firstRights({ controlDisabled: false, roles: ['control'], tiedRoles: [] }, {});
    control.enter({ id: 'agent', lastInput: 0, rights, agent: { name: 'Agent', color: '#000000' } });
    const agentMayAct = () => who().split(' ').includes('agent');
    at(1_000);
    control.act('high');
    at(2_000);
    control.dialogsChanged(true);
    at(30_000);
    assert.equal(agentMayAct(), false);
    assert.equal(control.untilIdle(), 1_000);
    control.dialogsChanged(false);
    assert.equal(agentMayAct(), true);

    // A dialog that opens while no person acts belongs to the agent.
    control.dialogsChanged(true);
    assert.equal(agentMayAct(), true);
    control.dialogsChanged(false);

    control.act('low');
    control.dialogsChanged(true);
    at(89_999);
    assert.equal(agentMayAct(), false);
    at(90_000);
    assert.equal(agentMayAct(), true);
  });

  it('passes to another user although the first one becomes idle during a decision', async () => {
    // Time passes with every look at the clock.
    let time = 999.5;
    const control = new Control(() => (time += 0.2));
    const roster = new Roster(new Calls(() => false), control);
    const known = new KnownUsers((id) => roster.isHere(id));
    const agent = { lostControl: () => undefined, settled: () => undefined };
    for (const [id, said] of [
      ['low', { idle_timeout: 0 }],
      ['high', { priority: 1, idle_timeout: 1_000 }],
    ] as const) {
      const rights = firstRights({ controlDisabled: false, roles: ['control'], tiedRoles: [] }, said);
      const identity = { name: id, color: '#000000' };
      roster.joinAgent({ ...agent, user: known.admit(id, rights, said, 0, { agent: identity }) });
    }
    await until(() => roster.controls('low'));
    roster.close();
  });

  it('in privacy mode belongs to one user, or to none if that user lacks the right', () => {
    const { control, who } = room({ middle: { control_disabled: true } });
    control.alone = 'low';
    assert.equal(who(), 'low');
    control.alone = 'middle';
    assert.equal(who(), '');
  });
});
