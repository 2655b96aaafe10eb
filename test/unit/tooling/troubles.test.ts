import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { add, NOTHING, readCounts } from '../../../scripts/lib/counts.mjs';
import { firstLine, troubleLines, type Trouble } from '../../../scripts/lib/troubles.mjs';

const late: Trouble = { kind: 'failed', test: 'late.test.ts: a start › is soon', error: 'Error: 9 s' };
const odd: Trouble = { kind: 'flaky', test: 'odd.test.ts: a picture › is red', error: 'Error: it is blue' };

describe('the summary at the end of a log', () => {
  it('lists failed and flaky tests with group, file and the first line of the error', () => {
    const lines = troubleLines([
      { ...late, group: 'e2e' },
      { ...odd, group: 'browser' },
    ]);
    assert.deepEqual(lines, [
      '',
      'What went wrong',
      '  ✗ failed, e2e: late.test.ts: a start › is soon',
      '      Error: 9 s',
      '  ~ flaky, browser: odd.test.ts: a picture › is red',
      '      Error: it is blue',
    ]);
  });

  it('is empty after a successful run', () => {
    assert.deepEqual(troubleLines([]), []);
  });
});

describe('the first line of an error', () => {
  it('has no colours and is not empty', () => {
    assert.equal(firstLine('\n\u001b[31mError: 9 s\u001b[39m\n    at late.test.ts:9'), 'Error: 9 s');
  });

  it('includes the line that it announces', () => {
    assert.equal(
      firstLine('Expected values to be equal:\n\n2 !== 3\n'),
      'Expected values to be equal: 2 !== 3',
    );
  });

  it('stays one line if the error has no more', () => {
    assert.equal(firstLine('what was seen:\n'), 'what was seen:');
    assert.equal(firstLine(''), '');
    assert.ok(firstLine('x'.repeat(10_000)).length <= 301);
  });
});

describe('the counts of runs', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'counts-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('are summed, and keep the failures of each run', () => {
    const total = add({ ...NOTHING, failed: 1, troubles: [late] }, { ...NOTHING, flaky: 1, troubles: [odd] });
    assert.deepEqual(total, { ...NOTHING, failed: 1, flaky: 1, troubles: [late, odd] });
  });

  it('report a runner that failed without naming a test', async () => {
    const missing = readCounts(join(folder, 'missing.json'), 139);
    assert.equal(missing.failed, 1);
    assert.match(missing.troubles[0]?.error ?? '', /exit code 139/);

    const file = join(folder, 'flaky.json');
    await writeFile(file, JSON.stringify({ ...NOTHING, passed: 4, flaky: 3, troubles: [odd] }));
    const flaky = readCounts(file, 1);
    assert.deepEqual([flaky.passed, flaky.failed, flaky.troubles.length], [4, 1, 2]);
    assert.match(flaky.troubles[1]?.error ?? '', /3 flaky tests are too many/);
  });
});
