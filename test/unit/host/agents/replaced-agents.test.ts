import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { joinAs } from '../../../../server/src/host/features/automation/programs/agent-user.js';
import { systemClock } from '../../../../server/src/platform/time/clock.js';
import { FakeRoom } from '../../../fakes/fake-room.js';

const SETTINGS = { name: 'Helper', roles: ['control'] as const, holdSeconds: 30, keepAlive: false };

let room: FakeRoom;
beforeEach(async () => {
  room = await FakeRoom.open({}, systemClock, { holdSeconds: 30, keepAlive: false });
});
afterEach(() => room.close());

/** Adds a program that connects over CDP with a token. */
function connect(userId: string, tokenId = 'token') {
  const request = { method: 'GET', url: '/', headers: {} } as const;
  const client = { userId, tokenId, request, head: '', ip: '127.0.0.1' };
  return joinAs(room.users.agents, client, SETTINGS);
}

describe('a program whose token sets its user id', () => {
  it('connects again before the host notices that its connection is lost', () => {
    const first = connect('bot');
    let message = '';
    first.onKicked = (text) => (message = text);
    const second = connect('bot');
    assert.match(message, /newer connection/);
    assert.deepEqual([first.canRead, second.canRead], [false, true]);
    assert.deepEqual(
      room.users.agents.list().map(({ id }) => id),
      ['bot'],
    );
  });

  it('does not replace an agent that acts through calls, and gets another id', () => {
    const { agents } = room.users;
    const caller = agents.join({ userId: 'bot', name: 'Caller', roles: ['control'], tokenId: 'token' });
    const program = connect('bot');
    assert.deepEqual([caller.canRead, program.canRead], [true, true]);
    assert.notEqual(program.id, 'bot');
  });

  it('replaces its earlier connection also if that one got another id', () => {
    const { agents } = room.users;
    agents.join({ userId: 'bot', name: 'Caller', roles: ['control'], tokenId: 'token' });
    const first = connect('bot');
    const second = connect('bot');
    assert.deepEqual([first.canRead, second.canRead, agents.list().length], [false, true, 2]);
  });

  it('does not replace a person', async () => {
    const person = await room.enter();
    assert.throws(() => connect(person.id), { code: 'err_invalid_parameter' });
  });

  it('does not replace another program after an admin has removed it', () => {
    const { agents } = room.users;
    agents.kick(agents.get(connect('bot', 'old').id)?.user ?? assert.fail());
    const current = connect('bot', 'new');
    assert.throws(() => connect('bot', 'old'), { code: 'err_agent_kicked' });
    assert.equal(current.canRead, true);
  });
});
