import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { AgentUse } from '../../../../server/src/host-protocol.js';
import { classOf } from '../../../../server/src/host/features/automation/methods/method-class.js';
import { METHODS } from '../../../../server/src/host/features/automation/methods/method-table.js';
import { AgentUseReport } from '../../../../server/src/host/room/agents/agent-use.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

let clock: ManualClock;
let agents: number;
let reports: AgentUse[];
let use: AgentUseReport;

beforeEach(() => {
  clock = new ManualClock();
  [agents, reports] = [0, []];
  use = new AgentUseReport(() => agents, clock);
  use.onReport = (report) => reports.push(report);
});

describe('the report about agents', () => {
  it('counts commands of all agents, and those of each', () => {
    const [first, second] = [use.joins(), use.joins()];
    agents = 2;
    use.changed();
    assert.deepEqual(reports, [{ agents: 2, joined: 2, commands: {}, refusals: 0 }]);
    first.command('input');
    assert.deepEqual(reports[1], { agents: 2, joined: 0, commands: { input: 1 }, refusals: 0 });
    first.command('input');
    second.command('script');
    second.refusal();
    clock.advance(5_000);
    assert.deepEqual(reports[2], { agents: 2, joined: 0, commands: { input: 1, script: 1 }, refusals: 1 });
    assert.deepEqual([first.commands, first.refused], [{ input: 2 }, 0]);
    assert.deepEqual([second.commands, second.refused], [{ script: 1 }, 1]);
  });

  it('is sent at most every five seconds, and once more at the end', () => {
    const counts = use.joins();
    for (let command = 0; command < 10_000; command++) counts.command('input');
    assert.equal(reports.length, 2);
    clock.advance(60_000);
    assert.equal(reports.length, 3);
    counts.refusal();
    counts.refusal();
    use.close();
    const sum = reports.reduce((total, { commands }) => total + (commands['input'] ?? 0), 0);
    assert.deepEqual([sum, reports.reduce((total, { refusals }) => total + refusals, 0)], [10_000, 2]);
  });
});

describe('the class of a method', () => {
  it('is one of a few, for every method and for none', () => {
    const classes = new Set([...Object.keys(METHODS), 'toString', '__proto__.x', ''].map(classOf));
    const expected = ['document', 'input', 'navigation', 'network', 'other', 'person', 'picture', 'script'];
    assert.deepEqual([...classes].sort(), [...expected, 'targets']);
  });
});
