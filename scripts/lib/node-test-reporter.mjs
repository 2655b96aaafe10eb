/**
 * Reporter for node:test. Prints one line per file, and failures in full. Writes the counts of single tests,
 * without suites and parents of subtests, to the JSON file that COUNTS_FILE names, with a summary of
 * each failure.
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { inspect } from 'node:util';
import { add, NOTHING } from './counts.mjs';
import { errorSummary } from './troubles.mjs';

/** Returns the original error, which node:test wraps. */
function causeOf(error) {
  const cause = error?.cause ?? error;
  return cause instanceof Error ? (cause.stack ?? cause.message) : inspect(cause, { depth: 6 });
}

const indent = (text) => text.replace(/^/gm, '      ');

/** Returns the duration as text if it is long. */
const duration = (seconds = 0) => (seconds < 1 ? '' : `, ${seconds.toFixed(0)} s`);

export default async function* report(source) {
  const countsByFile = new Map();
  const count = (file, more) =>
    countsByFile.set(file, add(countsByFile.get(file) ?? NOTHING, { ...NOTHING, ...more }));
  const seconds = new Map();
  const titles = [];
  const troubles = [];

  for await (const { type, data } of source) {
    if (type === 'test:start') {
      titles.length = data.nesting;
      titles.push(data.name);
    }
    if (type === 'test:stdout' || type === 'test:stderr') yield data.message;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    // Each file is a suite with its own name.
    if (data.nesting === 0) seconds.set(data.name, (data.details?.duration_ms ?? 0) / 1000);
    if (data.details?.type === 'suite' && type === 'test:pass') continue;
    // A failure outside of a file's single tests, for example in a hook, fails the file's suite.
    const file = relative(process.cwd(), data.nesting === 0 ? data.name : (data.file ?? data.name));

    if (data.skip !== undefined) {
      count(file, { skipped: 1 });
      yield `  - ${file}: ${data.name} (skipped${data.skip === true ? '' : `: ${data.skip}`})\n`;
    } else if (type === 'test:pass') {
      // A file in which no test ran is reported as a test with the name of the file.
      if (data.file !== undefined && data.name === data.file) continue;
      count(file, { passed: 1 });
    } else {
      const { error } = data.details ?? {};
      // The failed subtests are reported on their own.
      if (error?.failureType === 'subtestsFailed') continue;
      count(file, { failed: 1 });
      const names = [...titles.slice(0, data.nesting), data.name].filter((name) => name !== file);
      const test = `${file}: ${names.join(' › ') || 'outside of its tests'}`;
      troubles.push({ kind: 'failed', test, error: errorSummary(causeOf(error)) });
      yield `\n  ✗ ${test}\n${indent(causeOf(error))}\n\n`;
    }
  }

  for (const [file, { passed, failed }] of countsByFile) {
    if (passed > 0) yield `  ${failed > 0 ? '✗' : '✓'} ${file} (${passed}${duration(seconds.get(file))})\n`;
  }
  const total = [...countsByFile.values()].reduce((sum, each) => add(sum, each), NOTHING);
  const times = [...seconds].map(([file, took]) => ({ file, seconds: took }));
  if (process.env.COUNTS_FILE)
    writeFileSync(process.env.COUNTS_FILE, JSON.stringify({ ...total, troubles, times }));
}
