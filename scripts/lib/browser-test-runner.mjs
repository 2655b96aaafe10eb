/**
 * Runs web-test-runner.config.mjs with a short reporter. Writes the counts to the JSON file that COUNTS_FILE
 * names.
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { startTestRunner } from '@web/test-runner';
import { errorSummary } from './troubles.mjs';

const counts = { passed: 0, failed: 0, skipped: 0, troubles: [], times: [] };
const print = (text) => process.stdout.write(`${text}\n`);

function reportFailure(file, title, error) {
  counts.failed++;
  const facts = [
    error?.message,
    error?.expected && `expected: ${error.expected}`,
    error?.actual && `actual: ${error.actual}`,
  ].filter(Boolean);
  const text = [...facts, error?.stack].filter(Boolean).join('\n');
  // The stack repeats the message.
  const summary = errorSummary(facts.join('\n') || text);
  counts.troubles.push({ kind: 'failed', test: `${file}: ${title}`, error: summary });
  print(`\n  ✗ ${file}: ${title}\n${text.replace(/^/gm, '      ')}\n`);
}

function reportSuite(file, suite, titles) {
  for (const test of suite.tests) {
    if (test.skipped) counts.skipped++;
    else if (test.passed) counts.passed++;
    else reportFailure(file, [...titles, test.name].join(' › '), test.error);
  }
  for (const inner of suite.suites) reportSuite(file, inner, [...titles, inner.name]);
}

/** Returns the seconds that the tests of a suite and of the suites in it took. */
function secondsOf(suite) {
  const own = suite.tests.reduce((sum, { duration = 0 }) => sum + duration / 1000, 0);
  return suite.suites.reduce((sum, inner) => sum + secondsOf(inner), own);
}

function reportSession(session) {
  const file = relative(process.cwd(), session.testFile ?? 'unknown file');
  const before = counts.failed;
  const passedBefore = counts.passed;
  if (session.testResults) {
    reportSuite(file, session.testResults, []);
    counts.times.push({ file, seconds: secondsOf(session.testResults) });
  }
  for (const error of session.errors) reportFailure(file, 'the file could not be run', error);
  const missing = session.request404s.map((url) => `      not found: ${url}`);
  if (counts.failed === before && !session.passed) reportFailure(file, 'the file did not pass', undefined);
  if (counts.failed > before && missing.length > 0) print(missing.join('\n'));
  for (const line of session.logs.flat()) if (counts.failed > before) print(`      console: ${String(line)}`);
  if (counts.failed === before) print(`  ✓ ${file} (${counts.passed - passedBefore})`);
}

const reporter = {
  onTestRunFinished: ({ sessions }) => sessions.forEach(reportSession),
};

const runner = await startTestRunner({
  config: { reporters: [reporter] },
  readCliArgs: false,
  autoExitProcess: false,
});
if (runner === undefined) {
  process.exitCode = 1;
} else {
  runner.on('stopped', (passed) => {
    if (process.env.COUNTS_FILE) writeFileSync(process.env.COUNTS_FILE, JSON.stringify(counts));
    process.exit(passed && counts.failed === 0 ? 0 : 1);
  });
}
