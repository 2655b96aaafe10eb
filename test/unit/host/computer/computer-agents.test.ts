import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ComputerAgent } from '../../../../server/src/host/features/computer/computer-agent.js';
import {
  actionOf,
  type ActionParts,
} from '../../../../server/src/host/features/computer/computer-actions.js';
import { ComputerAgents } from '../../../../server/src/host/features/computer/computer-agents.js';
import { EndedTokens } from '../../../../server/src/host/room/ended-tokens.js';
import { systemClock } from '../../../../server/src/platform/time/clock.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

const SETTINGS = { name: 'Agent', roles: [], holdSeconds: 30, keepAlive: false } as const;

/** Parts of a session whose agent leaves. */
interface EndedRoom {
  agent: ComputerAgent;
  agents: ComputerAgents;
  ended: EndedTokens;
}

describe('the agents of computer calls', () => {
  it('leave when the token that admitted them ends', async () => {
    const ended = new EndedTokens();
    const left: string[] = [];
    const join = ({ name }: { name: string }): ComputerAgent =>
      ({ leave: () => void left.push(name) }) as unknown as ComputerAgent;
    const settled = () => Promise.resolve();
    const agents = new ComputerAgents({ join }, SETTINGS, settled, systemClock, ended);
    const call = () => Promise.resolve();
    await agents.during({ tokenId: 'a', name: 'first' }, call);
    await agents.during({ tokenId: 'b', name: 'second' }, call);
    ended.end('a', 'token_revoked');
    assert.deepEqual(left, ['first']);
    ended.end('a', 'token_revoked');
    ended.end('b', 'token_expired');
    assert.deepEqual(left, ['first', 'second']);
    agents.close();
  });

  it('do not join again with a call whose token ended while the service read its body', async () => {
    const ended = new EndedTokens();
    let joined = 0;
    const join = (): ComputerAgent => {
      joined += 1;
      return { leave: () => undefined } as unknown as ComputerAgent;
    };
    const settled = () => Promise.resolve();
    const agents = new ComputerAgents({ join }, SETTINGS, settled, systemClock, ended);
    const call = (tokenId: string) => agents.during({ tokenId }, () => Promise.resolve());
    await call('a');
    ended.end('a', 'token_revoked');
    await assert.rejects(call('a'), { code: 'err_forbidden', message: /was revoked\. Ask for a new one/ });
    assert.equal(joined, 1);
    await call('b');
    assert.equal(joined, 2);
    agents.close();
  });

  it('join with their token, so that it admits them no more after an admin has removed them', async () => {
    const joined: unknown[] = [];
    const join = ({ tokenId }: { tokenId?: string }): ComputerAgent => {
      joined.push(tokenId);
      return { leave: () => undefined } as unknown as ComputerAgent;
    };
    const settled = () => Promise.resolve();
    const agents = new ComputerAgents({ join }, SETTINGS, settled, systemClock, new EndedTokens());
    await agents.during({ tokenId: 'a', userId: 'user' }, () => Promise.resolve());
    await agents.during({}, () => Promise.resolve());
    assert.deepEqual(joined, ['a', undefined]);
    agents.close();
  });

  it('leave two minutes after their last call, and not during a transfer', async () => {
    const clock = new ManualClock();
    let left = 0;
    const agent = { leave: () => (left += 1) } as unknown as ComputerAgent;
    const settled = () => Promise.resolve();
    const agents = new ComputerAgents({ join: () => agent }, SETTINGS, settled, clock, new EndedTokens());
    const ended = await agents.during({}, (user) => Promise.resolve(user.stay()));
    clock.advance(600_000);
    assert.equal(left, 0);
    ended();
    clock.advance(119_999);
    assert.equal(left, 0);
    clock.advance(1);
    assert.equal(left, 1);
    agents.close();
  });

  it('do not leave again when a transfer ends after them', async () => {
    const clock = new ManualClock();
    const endedTokens = new EndedTokens();
    let left = 0;
    const agent = { leave: () => (left += 1) } as unknown as ComputerAgent;
    const settled = () => Promise.resolve();
    const agents = new ComputerAgents({ join: () => agent }, SETTINGS, settled, clock, endedTokens);
    const ended = await agents.during({ tokenId: 'a' }, (user) => Promise.resolve(user.stay()));
    endedTokens.end('a', 'token_revoked');
    ended();
    assert.deepEqual([left, clock.pending], [1, 0]);
    agents.close();
  });

  it('do not leave because an earlier agent of their token was removed', async () => {
    const clock = new ManualClock();
    const left: number[] = [];
    const joined: ComputerAgent[] = [];
    const join = (): ComputerAgent => {
      const number = joined.length;
      const agent = { leave: () => left.push(number) } as unknown as ComputerAgent;
      joined.push(agent);
      return agent;
    };
    const settled = () => Promise.resolve();
    const agents = new ComputerAgents({ join }, SETTINGS, settled, clock, new EndedTokens());
    await agents.during({ tokenId: 'a' }, () => Promise.resolve());
    joined[0]?.onKicked('A person with the same user id has joined this session.');
    const ended = await agents.during({ tokenId: 'a' }, (user) => Promise.resolve(user.stay()));
    clock.advance(120_000);
    assert.deepEqual([joined.length, left], [2, []]);
    ended();
    agents.close();
  });

  it('do not begin a call whose client has left while an earlier call acted', async () => {
    const agent = { leave: () => undefined } as unknown as ComputerAgent;
    const settled = () => Promise.resolve();
    const agents = new ComputerAgents(
      { join: () => agent },
      SETTINGS,
      settled,
      systemClock,
      new EndedTokens(),
    );
    const begun: string[] = [];
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const client = new AbortController();
    const call = (name: string, leaving?: AbortSignal) =>
      agents.during({}, (user) =>
        user.inOrder(() => {
          begun.push(name);
          return finished;
        }, leaving),
      );
    const first = call('first', client.signal);
    const abandoned = call('abandoned', client.signal);
    const last = call('last');
    client.abort();
    finish();
    await assert.rejects(abandoned, { code: 'err_call_failed' });
    await Promise.all([first, last]);
    assert.deepEqual(begun, ['first', 'last']);
    agents.close();
  });

  for (const [title, end, message] of [
    ['their token is revoked', ({ ended }: EndedRoom) => ended.end('a', 'token_revoked'), /was revoked/],
    ['they are removed', ({ agent }: EndedRoom) => agent.onKicked('An admin removed you.'), /An admin/],
    ['the session ends', ({ agents }: EndedRoom) => agents.close(), /has left the session/],
  ] as const)
    it(`do not wait any longer when ${title}`, async () => {
      const clock = new ManualClock();
      const ended = new EndedTokens();
      const agent = { leave: () => undefined } as unknown as ComputerAgent;
      const settled = () => Promise.resolve();
      const agents = new ComputerAgents({ join: () => agent }, SETTINGS, settled, clock, ended);
      const wait = agents.during({ tokenId: 'a' }, ({ left }) =>
        actionOf('wait', { milliseconds: 10_000 })({ clock, leaving: [left] } as unknown as ActionParts),
      );
      const failed = assert.rejects(wait, { code: 'err_agent_gone', message });
      end({ agent, agents, ended });
      await failed;
      assert.equal(clock.pending, 0);
    });

  it('end their input when their token is revoked', async () => {
    const ended = new EndedTokens();
    const input = { releaseAll: () => undefined };
    const agent = { acted: () => undefined, leave: () => undefined, input } as unknown as ComputerAgent;
    const agents = new ComputerAgents(
      { join: () => agent },
      SETTINGS,
      () => Promise.resolve(),
      systemClock,
      ended,
    );
    const act = agents.during({ tokenId: 'a' }, (user) =>
      user.inOrder(() => {
        ended.end('a', 'token_revoked');
        return user.hands.key({ code: 'Enter', key: 'Enter', modifiers: 0 }, 1);
      }),
    );
    await assert.rejects(act, { code: 'err_agent_gone', message: /was revoked/ });
    agents.close();
  });

  it('wait for the time of the call if they stay', async () => {
    const clock = new ManualClock();
    const leaving = [new AbortController().signal];
    const wait = actionOf('wait', { milliseconds: 10_000 })({ clock, leaving } as unknown as ActionParts);
    clock.advance(10_000);
    assert.deepEqual(await wait, { done: true });
  });
});
