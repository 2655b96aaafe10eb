import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FailureRow } from '../../../../server/src/platform/failure-row.js';
import { createLog } from '../../../../server/src/platform/log.js';

describe('the log', () => {
  it('writes one JSON object per line, from its level upwards', () => {
    const lines: string[] = [];
    const log = createLog('warn', (line) => lines.push(line));
    log.info('left out');
    log.warn('kept', { session: 'x', message: 'not this', error: new Error('why') });
    assert.equal(lines.length, 1);
    const [line = ''] = lines;
    assert.ok(line.endsWith('}\n'));
    const { time, error, ...rest } = JSON.parse(line) as Record<string, unknown>;
    assert.deepEqual(rest, { level: 'warn', message: 'kept', session: 'x' });
    assert.ok(!Number.isNaN(Date.parse(String(time))));
    assert.match(String(error), /^Error: why\n/);
  });
});

describe('failures in a row', () => {
  it('are first after a success, and if they are of another kind', () => {
    const row = new FailureRow();
    assert.equal(row.succeeded(), false);
    assert.deepEqual(
      [row.failed('a'), row.failed('a'), row.failed('b'), row.failed('b')],
      [true, false, true, false],
    );
    assert.deepEqual([row.succeeded(), row.succeeded()], [true, false]);
    assert.equal(row.failed('b'), true);
  });
});
