import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ComputerAgent } from '../../../../server/src/host/features/computer/computer-agent.js';
import { ComputerAgents } from '../../../../server/src/host/features/computer/computer-agents.js';
import { EndedTokens } from '../../../../server/src/host/room/ended-tokens.js';
import { systemClock } from '../../../../server/src/platform/time/clock.js';

const SETTINGS = { name: 'Agent', roles: [], holdSeconds: 30, keepAlive: false } as const;

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
});
