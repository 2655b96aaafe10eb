import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter';
import { NOTHING, type Counts } from '../../../scripts/lib/counts.mjs';
import { errorSummary, type Trouble } from '../../../scripts/lib/troubles.mjs';

/** The most flaky tests that a passing run may have, unless the configuration says otherwise. */
const MOST_FLAKY = 2;
/** The duration of a file is printed when it is at least this long. */
const WORTH_TELLING_MS = 1_000;

const indent = (text: string) => text.replace(/^/gm, '      ');
const print = (text: string) => process.stdout.write(`${text}\n`);

/**
 * Prints a line for each file, every failed attempt in full when it happens, and at the end all flaky tests
 * and the counts. Too many flaky tests fail the run. With COUNTS_FILE in the environment the counts go to
 * that file as JSON, with a short form of the error of each failed or flaky test.
 */
export default class CountingReporter implements Reporter {
  readonly #mostFlaky: number;
  #root: Suite | undefined;
  #folder = process.cwd();
  readonly #outsideOfTests: Trouble[] = [];
  /** Files whose line is printed. */
  readonly #printed = new Set<Suite>();

  constructor({ mostFlaky = MOST_FLAKY }: { mostFlaky?: number } = {}) {
    this.#mostFlaky = mostFlaky;
  }

  printsToStdio(): boolean {
    return true;
  }

  onBegin(config: FullConfig, suite: Suite): void {
    this.#root = suite;
    // The configuration's folder, from which people start the runner.
    if (config.configFile) this.#folder = config.configFile.replace(/[^/]*$/, '');
  }

  onStdOut(chunk: string | Buffer): void {
    process.stdout.write(chunk);
  }

  onStdErr(chunk: string | Buffer): void {
    process.stderr.write(chunk);
  }

  onError(error: TestError): void {
    const test = 'outside of any test';
    this.#outsideOfTests.push({ kind: 'failed', test, error: errorSummary(wordsOf(error)) });
    print(`\n  ✗ ${test}\n${indent(wordsOf(error))}\n`);
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status !== test.expectedStatus && result.status !== 'skipped')
      this.#printFailure(test, result);
    const suite = fileSuiteOf(test);
    if (!suite || this.#printed.has(suite) || !suite.allTests().every(isOver)) return;
    this.#printed.add(suite);
    this.#printFile(suite);
  }

  async onEnd(result: FullResult): Promise<{ status: FullResult['status'] }> {
    const tests = this.#root?.allTests() ?? [];
    const counts = countsOf(tests);
    counts.failed += this.#outsideOfTests.length;
    counts.troubles = [...tests.flatMap((test) => this.#troubleOf(test)), ...this.#outsideOfTests];
    counts.times = this.#fileSuites().map((suite) => ({
      file: this.#nameOf(suite),
      seconds: millisecondsOf(suite) / 1_000,
    }));
    const flaky = tests.filter((test) => test.outcome() === 'flaky');
    for (const test of flaky) print(`  flaky: ${this.#titleOf(test)}`);
    const tooMany = flaky.length > this.#mostFlaky;
    if (tooMany)
      print(`\n  ✗ ${flaky.length} flaky tests are too many: a good run has ${this.#mostFlaky} at most`);
    const file = process.env['COUNTS_FILE'];
    if (file) writeFileSync(file, JSON.stringify(counts));
    else printCounts(counts);
    return { status: tooMany ? 'failed' : result.status };
  }

  /** Returns a failed or flaky test, with the error of its first failed attempt. */
  #troubleOf(test: TestCase): Trouble[] {
    const outcome = test.outcome();
    if (outcome !== 'unexpected' && outcome !== 'flaky') return [];
    const error = test.results.flatMap(({ errors }) => errors).at(0);
    const kind = outcome === 'flaky' ? 'flaky' : 'failed';
    return [{ kind, test: this.#titleOf(test), error: error ? errorSummary(wordsOf(error)) : '' }];
  }

  #printFailure(test: TestCase, result: TestResult): void {
    const again = result.retry < test.retries ? ' (to be tried again)' : '';
    print(`\n  ✗ ${this.#titleOf(test)}${again}`);
    for (const error of result.errors) print(indent(wordsOf(error)));
    for (const { name, path, body, contentType } of result.attachments) {
      // The runner's attachment for other programs repeats the error.
      if (name === 'error-context') continue;
      if (path) print(indent(`${name}: ${relative(process.cwd(), path)}`));
      else if (body && contentType === 'text/plain') print(indent(`${name}: ${body.toString('utf8')}`));
    }
    print('');
  }

  #printFile(suite: Suite): void {
    const { passed, failed, flaky, skipped } = countsOf(suite.allTests());
    const took = millisecondsOf(suite);
    const notes = [
      `${passed}`,
      ...(flaky > 0 ? [`${flaky} flaky`] : []),
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(skipped > 0 ? [`${skipped} skipped`] : []),
      ...(took >= WORTH_TELLING_MS ? [`${(took / 1_000).toFixed(0)} s`] : []),
    ];
    const project = suite.project()?.name;
    print(
      `  ${failed > 0 ? '✗' : '✓'} ${this.#nameOf(suite)}${project ? ` [${project}]` : ''} (${notes.join(', ')})`,
    );
  }

  /** One suite for each file and project. */
  #fileSuites(): Suite[] {
    return this.#root?.suites.flatMap(({ suites }) => suites) ?? [];
  }

  #nameOf(suite: Suite): string {
    return relative(this.#folder, suite.location?.file ?? suite.title);
  }

  #titleOf(test: TestCase): string {
    const suite = fileSuiteOf(test);
    // The first three are the root, the project and the file.
    return `${suite ? this.#nameOf(suite) : test.location.file}: ${test.titlePath().slice(3).join(' › ')}`;
  }
}

function printCounts({ flaky, passed, failed, skipped, notRun }: Counts): void {
  if (skipped > 0) print(`\n${skipped} skipped`);
  if (notRun > 0) print(`\n${notRun} not run, because of what failed before`);
  print(`\n${flaky} flaky\n${passed} passed, ${failed} failed`);
}

function countsOf(tests: TestCase[]): Counts {
  const counts = { ...NOTHING };
  for (const test of tests) {
    const outcome = test.outcome();
    if (outcome === 'flaky') counts.flaky += 1;
    else if (outcome === 'expected') counts.passed += 1;
    else if (outcome === 'unexpected') counts.failed += 1;
    else if (test.expectedStatus === 'skipped') counts.skipped += 1;
    else counts.notRun += 1;
  }
  return counts;
}

/** Returns true if this result is final: the test will not be retried. */
function isOver(test: TestCase): boolean {
  const last = test.results.at(-1);
  return (
    last !== undefined &&
    (last.status === test.expectedStatus || last.status === 'skipped' || last.retry === test.retries)
  );
}

function fileSuiteOf(test: TestCase): Suite | undefined {
  let suite: Suite | undefined = test.parent;
  while (suite && suite.type !== 'file') suite = suite.parent;
  return suite;
}

/** The time of all attempts of a suite's tests. */
function millisecondsOf(suite: Suite): number {
  const results = suite.allTests().flatMap(({ results }) => results);
  return results.reduce((sum, { duration }) => sum + duration, 0);
}

function wordsOf({ stack, message, value, snippet }: TestError): string {
  const words = [stack ?? message ?? value ?? 'unknown error', snippet].filter(Boolean).join('\n\n');
  return process.stdout.isTTY ? words : stripVTControlCharacters(words);
}
