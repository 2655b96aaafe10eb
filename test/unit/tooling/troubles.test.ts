import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { add, NOTHING, readCounts } from '../../../scripts/lib/counts.mjs';
import { errorSummary, firstLine, troubleLines, type Trouble } from '../../../scripts/lib/troubles.mjs';

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

/** Returns the message of a comparison that fails. */
function failure(compare: () => void): string {
  try {
    compare();
  } catch (error) {
    if (error instanceof Error) return error.stack ?? error.message;
  }
  throw new Error('The comparison did not fail.');
}

describe('the summary of an error', () => {
  it('has the lines that differ, below the first line', () => {
    const text = failure(() => assert.deepEqual({ id: 1, states: ['ended'] }, { id: 1, states: [] }));
    const [first, ...differences] = errorSummary(text).split('\n');
    assert.match(first ?? '', /strictly deep-equal: \+ actual - expected$/);
    assert.deepEqual(differences, ['+   states: [', "+     'ended'", '+   ]', '-   states: []']);
  });

  it('has at most eight lines that differ, each cut', () => {
    const long = Array.from({ length: 30 }, (_, nth) => `${nth}`.repeat(100));
    const [, ...differences] = errorSummary(failure(() => assert.deepEqual(long, []))).split('\n');
    assert.equal(differences.length, 9);
    assert.ok(differences.every((line) => line.length <= 161));
    assert.match(differences.at(-1) ?? '', /^… \d+ more lines differ$/);
  });

  it('has both values of an expectation of a browser', () => {
    const playwright =
      'Error: expect(received).toBe(expected)\n\nExpected: 1\nReceived: 2\n    at a.test.ts:1';
    assert.equal(
      errorSummary(playwright),
      'Error: expect(received).toBe(expected)\nExpected: 1\nReceived: 2',
    );
    assert.equal(
      errorSummary('Not the same:\n  got    [1]\n  wanted [2]'),
      'Not the same: got    [1]\nwanted [2]',
    );
  });

  it('is the first line of any other error', () => {
    assert.equal(errorSummary('Error: 9 s\n    at late.test.ts:9'), 'Error: 9 s');
  });

  it('is indented in the list', () => {
    const lines = troubleLines([{ ...late, error: 'Not equal:\n+ 1\n- 2', group: 'unit' }]);
    assert.deepEqual(lines.slice(-3), ['      Not equal:', '      + 1', '      - 2']);
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
