/**
 * Runs the end-to-end tests that measure, one after the other, with strict limits, and prints the measured
 * values. Arguments: the test runner's program and the files to run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { figureTable, worstFigures } from '../../scripts/lib/figure-table.mjs';
import { LIMITS, type Figure } from '../support/limits.js';
import { machine } from './report.js';

const [runner = '', ...files] = process.argv.slice(2);
const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-figures-'));
try {
  const path = join(directory, 'figures.jsonl');
  const args = [runner, 'test', ...files, '--project=timing', '--no-deps', '--retries=0', '--workers=1'];
  const env = { ...process.env, STRICT_TIMES: '1', FIGURES_FILE: path };
  const tests = spawn(process.execPath, args, { stdio: 'inherit', env });
  const [code] = (await once(tests, 'exit')) as [number | null];
  const text = await readFile(path, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  const measured = lines.map((line) => JSON.parse(line) as { figure: Figure; seen: number });
  const figures = worstFigures(LIMITS, measured);
  const wanted = figures.filter(({ seen }) => files.length === 0 || seen !== undefined);
  console.log(`\n${Object.values(machine()).join(', ')}\n\n${figureTable(wanted).join('\n')}`);
  const good = code === 0 && wanted.every(({ kept }) => kept === true);
  process.exitCode = good ? 0 : 1;
} finally {
  await rm(directory, { recursive: true });
}
