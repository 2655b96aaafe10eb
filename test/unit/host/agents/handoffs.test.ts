import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Handoff, HandoffState } from 'cloud-browser/protocol';
import type { CallingAgent } from '../../../../server/src/host-protocol.js';
import type { Agent, HandoffResult } from '../../../../server/src/host/room/agents/agent.js';
import { Handoffs } from '../../../../server/src/host/room/agents/handoffs.js';
import { ADMIN_TOKEN, FakeRoom, until, type RawClient } from '../../../fakes/fake-room.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

const AUTOMATION = { keepAlive: false, holdSeconds: 30, roles: ['control'] as const, name: 'Agent' };
const ORDER = { agent: null, name: 'Helper', instructions: 'Log in.', timeoutMs: 1_000 };

describe('the hand-offs of a session', () => {
  let clock: ManualClock;
  let handoffs: Handoffs;
  let changes: HandoffState[];
  beforeEach(() => {
    clock = new ManualClock();
    handoffs = new Handoffs(clock);
    changes = [];
    handoffs.onChanged = (state) => changes.push(state);
  });

  it('end without an answer after their timeout', () => {
    const { id } = handoffs.request(ORDER);
    clock.advance(999);
    assert.equal(handoffs.get(id).outcome, null);
    clock.advance(1);
    assert.equal(handoffs.get(id).outcome, 'timeout');
    const outcomes = changes.map(({ outcome }) => outcome);
    assert.deepEqual(outcomes, [null, 'timeout']);
    assert.throws(() => handoffs.finish(id, 'done', '', 'user'), { code: 'err_handoff_gone' });
  });

  it('keep the first answer and refuse the second', () => {
    const { id } = handoffs.request(ORDER);
    handoffs.finish(id, 'done', 'The code was 1234.', 'first');
    assert.throws(() => handoffs.finish(id, 'refused', '', 'second'), {
      code: 'err_handoff_gone',
      message: /Another user/,
    });
    const { outcome, note, answeredBy } = handoffs.get(id);
    assert.deepEqual([outcome, note, answeredBy], ['done', 'The code was 1234.', 'first']);
  });

  it('answer callers that wait, at their end or after the time of the call', async () => {
    const { id } = handoffs.request(ORDER);
    const short = handoffs.wait(id, 100);
    const long = handoffs.wait(id, 900);
    clock.advance(100);
    assert.equal((await short).outcome, null);
    handoffs.finish(id, 'refused', '', 'user');
    assert.equal((await long).outcome, 'refused');
    assert.equal((await handoffs.wait(id, 900)).outcome, 'refused');
    assert.equal(clock.pending, 0);
  });

  it('are limited in number, and so are the callers that wait and have not gone', async () => {
    const [first] = Array.from({ length: 8 }, () => handoffs.request(ORDER));
    assert.throws(() => handoffs.request(ORDER), { code: 'err_too_many_handoffs' });
    const id = first?.id ?? '';
    const client = new AbortController();
    const leaving = handoffs.wait(id, 10, client.signal);
    const waiting = Array.from({ length: 63 }, () => handoffs.wait(id, 10));
    await assert.rejects(handoffs.wait(id, 10), {
      code: 'err_too_many_calls',
      message: /Wait for some answers first/,
    });
    client.abort(new Error('gone'));
    await assert.rejects(leaving, /gone/);
    waiting.push(handoffs.wait(id, 10));
    handoffs.withdraw(id);
    for (const { outcome } of await Promise.all(waiting)) assert.equal(outcome, 'withdrawn');
    handoffs.request(ORDER);
  });

  it('are forgotten some time after their end', () => {
    const { id } = handoffs.request(ORDER);
    for (let count = 0; count < 70; count++) handoffs.withdraw(handoffs.request(ORDER).id);
    assert.equal(handoffs.get(id).outcome, null);
    handoffs.withdraw(id);
    for (let count = 0; count < 70; count++) handoffs.withdraw(handoffs.request(ORDER).id);
    assert.throws(() => handoffs.get(id), { code: 'err_handoff_gone' });
    assert.throws(() => handoffs.withdraw(id), { code: 'err_handoff_gone' });
  });
});

describe('a hand-off of an agent', () => {
  let room: FakeRoom;
  let person: RawClient;
  let agent: Agent;
  let done: HandoffResult[];
  beforeEach(async () => {
    room = await FakeRoom.open({ automation: AUTOMATION });
    person = await room.enter();
    agent = room.users.agents.join({ userId: 'agent-1', name: 'Helper', roles: ['control'] });
    done = [];
    agent.onHandoffDone = (result) => done.push(result);
  });
  afterEach(() => room.close());

  const openOf = ({ told }: RawClient): Handoff[] => {
    const last = told.findLast((message) => message.type === 'handoffs');
    return last ? last.open : [];
  };
  const ask = () => agent.requestHuman({ instructions: 'Log in.' });

  it('is shown to viewers, holds the agent, and gives control back with the answer', async () => {
    const { id } = ask();
    await until(() => openOf(person).length === 1);
    const [shown] = openOf(person);
    assert.deepEqual([shown?.id, shown?.name, shown?.instructions], [id, 'Helper', 'Log in.']);
    assert.equal(room.users.roster.controls('agent-1'), false);
    const returned: (string | undefined)[] = [];
    agent.onControlReturned = ({ by }) => returned.push(by);
    const acting = agent.act();
    const { error } = await person.call('finishHandoff', [id, 'done', 'Logged in.']);
    assert.equal(error, undefined);
    await acting;
    assert.deepEqual(done, [{ id, outcome: 'done', note: 'Logged in.' }]);
    assert.deepEqual(returned, [person.id]);
    await until(() => openOf(person).length === 0);
    const outcomes = room.handoffs.map(({ outcome }) => outcome);
    assert.deepEqual(outcomes, [null, 'done']);
  });

  it('is named to a command that fails because of it', async () => {
    room.close();
    room = await FakeRoom.open({ automation: { ...AUTOMATION, holdSeconds: 0.02 } });
    agent = room.users.agents.join({ name: 'Helper', roles: ['control'] });
    const { id } = ask();
    await assert.rejects(agent.act(), {
      code: 'err_person_has_control',
      message: new RegExp(`hand-off ${id} is open.* withdraw`),
    });
  });

  it('gives control at once to a person of a lower priority', async () => {
    await person.admin('setPermissions', 'agent-1', { priority: 5 });
    assert.equal(room.users.roster.controls(person.id), false);
    const { id } = ask();
    assert.equal(room.users.roster.controls(person.id), true);
    room.users.agents.handoffs.withdraw(id);
    assert.equal(room.users.roster.controls(person.id), false);
  });

  it('does not make the agent wait until the person rests', async () => {
    const { id } = ask();
    person.input({ type: 'text', modifiers: 0, text: 'x' });
    await person.settled();
    await person.call('finishHandoff', [id, 'done']);
    assert.equal(room.users.roster.controls('agent-1'), true);
    await agent.act();
  });

  it('accepts only the first of two answers, and tells the second user', async () => {
    const other = await room.enter();
    const { id } = ask();
    const answers = await Promise.all([
      person.call('finishHandoff', [id, 'done']),
      other.call('finishHandoff', [id, 'refused']),
    ]);
    assert.deepEqual(answers.map(({ error }) => error?.code).sort(), ['err_handoff_gone', undefined]);
    assert.equal(done.length, 1);
  });

  it('is shown to a viewer that joins or reconnects while it is open', async () => {
    ask();
    const { userId, secret } = person.welcome ?? { userId: '', secret: '' };
    person.socket.terminate();
    const again = await room.enter({ resume: { userId, secret } });
    await until(() => openOf(again).length === 1);
    assert.ok(again.told.some(({ type }) => type === 'agents'));
  });

  it('is hidden from users who may not control, and they cannot answer it', async () => {
    const watcher = await room.enter();
    await person.admin('removeRoles', [watcher.id], ['control']);
    const { id } = ask();
    await until(() => openOf(person).length === 1);
    await watcher.settled();
    assert.deepEqual(openOf(watcher), []);
    assert.equal((await watcher.call('finishHandoff', [id, 'done'])).error?.code, 'err_forbidden');
    await person.admin('addRoles', [watcher.id], ['control']);
    await until(() => openOf(watcher).length === 1);
  });

  it('is withdrawn when the agent leaves', async () => {
    ask();
    await until(() => openOf(person).length === 1);
    agent.leave();
    await until(() => openOf(person).length === 0);
    assert.equal(room.handoffs.at(-1)?.outcome, 'withdrawn');
    assert.throws(ask, { code: 'err_agent_gone' });
  });

  it('can be requested, read and withdrawn by a backend, for all agents', async () => {
    const state = await person.admin('handoffs.request', { instructions: ' Approve it. ', timeout: 5 });
    assert.deepEqual([state.agent, state.name, state.instructions], [null, 'Helper', 'Approve it.']);
    assert.equal(room.users.roster.controls('agent-1'), false);
    assert.equal((await person.admin('handoffs.get', state.id)).outcome, null);
    const waiting = person.admin('handoffs.get', state.id, 8);
    await person.settled();
    await person.admin('handoffs.withdraw', state.id);
    assert.equal((await waiting).outcome, 'withdrawn');
    assert.equal(room.users.roster.controls('agent-1'), true);
  });

  it('has the name of the program that requests it, also beside other agents', async () => {
    room.users.agents.join({ name: 'Other', roles: [] });
    const nameFor = async (program: CallingAgent, name?: string) => {
      const order = { instructions: 'Log in.', ...(name !== undefined && { name }) };
      return ((await room.calls.ofBackend('handoffs.request', [order], program)) as HandoffState).name;
    };
    assert.equal(await nameFor({ tokenId: 'token', name: 'Order bot' }), 'Order bot');
    assert.equal(await nameFor({ tokenId: 'token', name: 'x'.repeat(100) }), 'x'.repeat(64));
    assert.equal(await nameFor({ tokenId: 'token', name: 'Order bot' }, 'Login'), 'Login');
    assert.equal(await nameFor({}), AUTOMATION.name);
    assert.equal(await nameFor({ tokenId: 'token', name: 'Order bot' }, ' '), 'Order bot');
  });

  it('has the name of the program also if the program requests another name', async () => {
    const order = { instructions: 'Log in.', name: 'Administrator' };
    const nameFor = async (program: CallingAgent, agentId?: string) => {
      const args = [{ ...order, ...(agentId !== undefined && { agent: agentId }) }];
      return ((await room.calls.ofBackend('handoffs.request', args, program)) as HandoffState).name;
    };
    assert.equal(await nameFor({ automates: true, tokenId: 'token', name: 'Order bot' }), 'Order bot');
    assert.equal(
      await nameFor({ automates: true, tokenId: 'token', name: 'Order bot' }, agent.id),
      'Order bot',
    );
    assert.equal(await nameFor({ automates: true }), AUTOMATION.name);
  });

  it('needs the role control of the program that requests it', async () => {
    const codeOf = (program: CallingAgent) =>
      room.calls.ofBackend('handoffs.request', [{ instructions: 'Log in.' }], program).then(
        () => 'accepted',
        (error: unknown) => (error as { code?: string }).code,
      );
    const program = { automates: true, tokenId: 'token' } as const;
    assert.equal(await codeOf({ ...program, roles: [] }), 'err_forbidden');
    assert.equal(room.users.roster.controls('agent-1'), true);
    assert.equal(await codeOf({ roles: [] }), 'accepted', 'a backend needs no role');
    const { id } = room.users.agents.join({ name: 'Other', roles: [], tokenId: 'token' });
    await person.admin('addRoles', [id], ['control']);
    assert.equal(await codeOf({ ...program, roles: [] }), 'accepted');
    await person.admin('removeRoles', [id], ['control']);
    for (const roles of [[], ['control'] as const])
      assert.equal(await codeOf({ ...program, roles }), 'err_forbidden');
    assert.equal(await codeOf({ automates: true }), 'accepted');
    await person.admin('removeRoles', [agent.id], ['control']);
    assert.throws(ask, { code: 'err_forbidden' });
    assert.equal(await codeOf({ automates: true }), 'err_forbidden');
  });

  for (const end of ['revoked', 'removed'] as const)
    it(`gives no answer to a program that was ${end} while it waited`, async () => {
      const program = { tokenId: 'token' };
      const { id: user } = room.users.agents.join({ name: 'Other', roles: [], ...program });
      const state = await person.admin('handoffs.request', { instructions: 'Send the code.' });
      const waiting = room.calls.ofBackend('handoffs.get', [state.id, 8], program);
      await person.settled();
      if (end === 'revoked') room.endedTokens.end('token', 'token_revoked');
      else await person.admin('kick', user);
      const code = end === 'revoked' ? 'err_forbidden' : 'err_agent_kicked';
      const refused = assert.rejects(waiting, { code });
      await person.call('finishHandoff', [state.id, 'done', 'The code is 123456.']);
      await refused;
      await assert.rejects(room.calls.ofBackend('handoffs.get', [state.id], program));
    });

  it('takes null as not given', async () => {
    const nothing = { timeout: null, agent: null, name: null };
    const order = { instructions: 'x', ...nothing };
    const { result } = await person.call('handoffs.request', [order], ADMIN_TOKEN);
    const { id } = result as HandoffState;
    assert.equal((await person.call('handoffs.get', [id, null], ADMIN_TOKEN)).error, undefined);
    assert.equal((await person.call('finishHandoff', [id, 'done', null])).error, undefined);
  });

  it('is refused with wrong arguments', async () => {
    const codeOf = async (value: unknown) =>
      (await person.call('handoffs.request', [value], ADMIN_TOKEN)).error?.code;
    const texts = ['', '  ', 'x'.repeat(2_001)].map((instructions) => ({ instructions }));
    const fields = [
      ...[0, '5', 86_401].map((timeout) => ({ timeout })),
      { agent: 5 },
      { name: 'x'.repeat(65) },
    ];
    const others = fields.map((field) => ({ instructions: 'x', ...field }));
    for (const value of [undefined, [], {}, ...texts, ...others])
      assert.equal(await codeOf(value), 'err_invalid_parameter', JSON.stringify(value));
    assert.equal(await codeOf({ instructions: 'x', agent: 'nobody' }), 'err_user_not_found');
    assert.equal(await person.refusal('handoffs.request', { instructions: 'x' }), 'err_forbidden');
    for (const args of [['x'], ['x', 'maybe'], ['x', 'done', 5], [5, 'done']])
      assert.equal(await person.refusal('finishHandoff', ...args), 'err_invalid_parameter');
    assert.equal(await person.refusal('finishHandoff', 'x', 'done'), 'err_handoff_gone');
  });
});

describe('a session without automation', () => {
  it('has no hand-offs', async () => {
    const room = await FakeRoom.open();
    const person = await room.enter();
    const { error } = await person.call('handoffs.request', [{ instructions: 'x' }], ADMIN_TOKEN);
    assert.equal(error?.code, 'err_unknown_method');
    room.close();
  });
});

describe('the pointer of an agent', () => {
  let room: FakeRoom;
  beforeEach(async () => (room = await FakeRoom.open()));
  afterEach(() => room.close());

  it('is shown with its name to all users who see the picture, and removed when the agent leaves', async () => {
    const person = await room.enter();
    await person.call('subscribe', ['users.onPointer']);
    await person.call('subscribe', ['users.onPointerLeft']);
    const agent = room.users.agents.join({ name: 'Helper', roles: ['control'] });
    agent.pointer(640, -5);
    await until(() => person.events.some(({ name }) => name === 'users.onPointer'));
    const [pointer] = person.events[0]?.args as [{ userId: string; x: number; y: number; agent: object }];
    assert.deepEqual([pointer.userId, pointer.y], [agent.id, 0]);
    assert.deepEqual(pointer.agent, agent.user.agent);
    agent.leave();
    await until(() => person.events.some(({ name }) => name === 'users.onPointerLeft'));
  });

  it('is hidden in another user’s privacy mode', async () => {
    const [alone, other] = [await room.enter(), await room.enter()];
    await other.call('subscribe', ['users.onPointer']);
    await alone.call('subscribe', ['users.onPointer']);
    const agent = room.users.agents.join({ name: 'Helper', roles: ['control'] });
    await alone.admin('enablePrivacyMode');
    agent.pointer(1, 1);
    await until(() => alone.events.some(({ name }) => name === 'users.onPointer'));
    await other.settled();
    assert.deepEqual(other.events, []);
  });
});
