import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { figureTable, worstFigures } from '../../../scripts/lib/figure-table.mjs';
import { bound, hold, isKept, LIMITS, patient, SLACK } from '../../support/limits.js';

const LATE = 'first frame of a late viewer';
const FLOOD = 'frames that others keep in a flood';

const HOLD = `
  const { hold } = await import('./test/support/limits.ts');
  hold('first frame of a late viewer', 1e9, 'of two');`;

describe('a benchmark figure in a run of all tests', () => {
  it('does not fail above its limit, and must be a number', () => {
    hold(LATE, LIMITS[LATE].most + 1);
    hold(FLOOD, 0);
    assert.throws(() => hold(FLOOD, NaN));
    assert.throws(() => hold(LATE, NaN), /first frame of a late viewer: .* ms/);
  });

  it('fails above its limit if limits are enforced', () => {
    const run = (strict: string) =>
      spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', HOLD], {
        env: { ...process.env, STRICT_TIMES: strict },
        encoding: 'utf8',
      });
    assert.equal(run('').status, 0);
    assert.match(run('1').stderr, /first frame of a late viewer: .* ms;.*of two/);
  });

  it('passes up to a multiple of its limit', () => {
    assert.equal(bound(LATE), LIMITS[LATE].most * SLACK);
    assert.equal(bound(FLOOD), LIMITS[FLOOD].least / SLACK);
    assert.equal(patient(1_000), 1_000 * SLACK);
    assert.deepEqual([isKept(LATE, bound(LATE)), isKept(FLOOD, bound(FLOOD))], [true, true]);
    assert.deepEqual([isKept(LATE, bound(LATE) + 1), isKept(FLOOD, bound(FLOOD) - 1)], [false, false]);
  });

  describe('that is reported', () => {
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'figures-'));
      process.env['FIGURES_FILE'] = join(folder, 'figures');
    });
    afterEach(() => Reflect.deleteProperty(process.env, 'FIGURES_FILE'));
    after(() => rm(folder, { recursive: true }));

    it('is written to a file, also when it is above its limit', async () => {
      hold(LATE, 12);
      hold(LATE, 1e9);
      const lines = (await readFile(join(folder, 'figures'), 'utf8')).trim().split('\n');
      assert.deepEqual(
        lines.map((line): unknown => JSON.parse(line)),
        [
          { figure: LATE, seen: 12 },
          { figure: LATE, seen: 1e9 },
        ],
      );
    });
  });
});

describe('the table of limits', () => {
  it('has the worst value of each figure, and marks exceeded limits', () => {
    const limits = {
      late: { most: 100, unit: 'ms' },
      kept: { least: 95, unit: '%' },
      other: { most: 1, unit: 'ms' },
    };
    const figures = worstFigures(limits, [
      { figure: 'late', seen: 20 },
      { figure: 'late', seen: 99.96 },
      { figure: 'kept', seen: 96 },
      { figure: 'kept', seen: 90.12 },
    ]);
    assert.deepEqual(
      figures.map(({ seen, kept }) => [seen, kept]),
      [
        [99.96, true],
        [90.12, false],
        [undefined, undefined],
      ],
    );
    assert.deepEqual(figureTable(figures), [
      '  figure  seen          limit',
      '  late    100 ms        at most 100',
      '✗ kept    90.1 %        at least 95',
      '  other   not measured  at most 1',
    ]);
  });
});
