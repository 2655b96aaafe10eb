import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
