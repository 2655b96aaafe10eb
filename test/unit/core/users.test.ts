import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { CloudBrowserClient, PrivacyInfo } from '../../../src/core/index.js';
import type { SessionUser } from '../../../src/protocol/index.js';
import { connectedClient } from '../../fakes/connected-client.js';
import type { FakeHost } from '../../fakes/fake-host.js';
import type { ManualTimers } from '../../fakes/manual-timers.js';

const USER: SessionUser = {
  id: 'user-2',
  kind: 'person',
  roles: ['control'],
  permissions: { priority: 0, idle_timeout: 0, control_disabled: false },
  connectedAt: '2030-01-01T00:00:00.000Z',
  controlling: true,
};

let host: FakeHost;
let timers: ManualTimers;
let client: CloudBrowserClient;
beforeEach(async () => {
  ({ client, host, timers } = await connectedClient());
});

/** Answers the newest call. */
function answer(result?: unknown): void {
  const { id } = host.last.of('call').at(-1) ?? { id: 0 };
  host.last.send({ type: 'answer', id, ...(result !== undefined && { result }) });
}

describe('the users of a client', () => {
  const calls: [
    name: string,
    make: () => Promise<unknown>,
    method: string,
    args: unknown[],
    result?: unknown,
  ][] = [
    ['list', () => client.users.list(), 'users.list', [], [USER]],
    ['me', () => client.users.me(), 'users.me', [], USER],
    [
      'setPermissions',
      () => client.users.setPermissions('a', { priority: 1 }),
      'setPermissions',
      ['a', { priority: 1 }],
    ],
    ['addRoles', () => client.users.addRoles(['a'], ['resize']), 'addRoles', [['a'], ['resize'], false]],
    [
      'removeRoles',
      () => client.users.removeRoles([], ['control'], true),
      'removeRoles',
      [[], ['control'], true],
    ],
    ['kick', () => client.users.kick('a'), 'kick', ['a']],
    ['requestControl', () => client.users.requestControl(), 'control.request', []],
    ['giveControl', () => client.users.giveControl(null), 'control.give', [null]],
    ['takeControl', () => client.users.takeControl(), 'control.take', []],
    ['enablePrivacyMode', () => client.users.enablePrivacyMode(), 'enablePrivacyMode', []],
    ['disablePrivacyMode', () => client.users.disablePrivacyMode(), 'disablePrivacyMode', []],
  ];
  for (const [name, make, method, args, result] of calls) {
    it(`call the session: ${name}`, async () => {
      const made = make();
      const call = host.last.of('call').at(-1);
      assert.deepEqual([call?.method, call?.args], [method, args]);
      answer(result);
      assert.deepEqual(await made, result);
    });
  }

  it('emit their events until the last listener is removed', async () => {
    const heard: string[] = [];
    const listening = client.users.on('joined', ({ id }) => heard.push(id));
    answer();
    const stop = await listening;
    host.last.send({ type: 'event', name: 'users.onJoined', args: [USER] });
    stop();
    host.last.send({ type: 'event', name: 'users.onJoined', args: [USER] });
    assert.deepEqual(heard, ['user-2']);
  });
});

describe('privacy mode of a client', () => {
  it('reports its start and end, and ends with a new connection that does not mention it', () => {
    const seen: PrivacyInfo[] = [];
    client.on('privacy', (info) => seen.push(info));
    host.last.send({ type: 'privacy', userId: 'user-1' });
    assert.equal(client.shutOutBy, undefined);
    host.last.send({ type: 'privacy', userId: 'user-2', elapsed: 60_000, remaining: 540_000, ending: true });
    assert.equal(client.shutOutBy, 'user-2');
    const { since, until, ending } = client.privacy ?? {};
    assert.deepEqual([until?.getTime(), ending], [(since?.getTime() ?? 0) + 600_000, true]);
    host.last.close();
    timers.advance(60_000);
    host.last.welcome();
    assert.equal(client.privacy, undefined);
    assert.deepEqual(
      seen.map(({ userId, shutOut }) => ({ userId, shutOut })),
      [
        { userId: 'user-1', shutOut: false },
        { userId: 'user-2', shutOut: true },
        { userId: undefined, shutOut: false },
      ],
    );
  });
});

describe('hand-offs of a client', () => {
  const handoff = {
    ...{ id: 'h1', name: 'Helper', agent: 'agent-1', instructions: 'Log in.' },
    requestedAt: '2030-01-01T00:00:00.000Z',
    expiresAt: '2030-01-01T00:10:00.000Z',
  };

  it('are reported with the agents, and forgotten by a new connection that does not mention them', () => {
    const seen: number[] = [];
    client.on('handoff', (open) => seen.push(open.length));
    client.on('agents', (agents) => seen.push(10 + agents.length));
    host.last.send({ type: 'agents', agents: [{ id: 'agent-1', name: 'Helper', color: '#b3261e' }] });
    host.last.send({ type: 'handoffs', open: [handoff] });
    assert.deepEqual([client.handoffs, client.agents[0]?.name], [[handoff], 'Helper']);
    host.last.close();
    timers.advance(60_000);
    host.last.welcome();
    assert.deepEqual([client.handoffs, client.agents], [[], []]);
    assert.deepEqual(seen, [11, 1, 10, 0]);
  });

  it('are answered with a call', async () => {
    const finishing = client.finishHandoff('h1', 'refused', 'No code came.');
    const call = host.last.of('call').at(-1);
    assert.deepEqual([call?.method, call?.args], ['finishHandoff', ['h1', 'refused', 'No code came.']]);
    answer();
    await finishing;
  });
});
