import assert from 'node:assert/strict';
import { it } from 'node:test';
import { agentTable } from '../../bench/agent/agent-probe.js';

it('the table of clicks beside a busy agent has the median of the ratios of the rounds', () => {
  const lines = agentTable([
    { without: [10, 10], busy: [11, 11], commands: 100 },
    { without: [20, 20], busy: [30, 30], commands: 200 },
    { without: [10, 10], busy: [12, 12], commands: 300 },
  ]).split('\n');
  assert.match(lines[2] ?? '', /^\| without an agent \| 10\.0 \/ 20\.0 \| 6 \| - \| 1 \|/);
  assert.match(lines[3] ?? '', /\| 12\.0 \/ 30\.0 \| 6 \| 200 \| 1\.20 \| at most 1\.2 \|$/);
});
