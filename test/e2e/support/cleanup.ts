import { after, afterEach } from 'node:test';

/** Undoes something, sooner or later. */
export type Step = () => unknown;

/** Says what is going on. */
type Report = () => string | Promise<string>;

const ofFile: Step[] = [];
let ofProcess = ofFile;
const reports = new Set<Report>();

/** Undoes something when the test file is over, however it went; last made, first undone. */
export function atEnd(step: Step): void {
  ofFile.push(step);
}

/** Undoes what several test files use: when the last file of this process is over. */
export function atProcessEnd(step: Step): void {
  ofProcess.push(step);
}

/** Adds to what is printed of each test that fails, until what it reports on ends, as `end` says. */
export function atFailure(report: Report, end: (step: Step) => void): void {
  reports.add(report);
  end(() => reports.delete(report));
}

/** To be called once, at the top of a test file. */
export function cleanUpAtEnd(): void {
  afterEach(async (context) => {
    // Its type does not know of it yet.
    if ((context as { passed?: boolean }).passed) return;
    for (const report of reports) process.stderr.write(`${await report()}\n`);
  });
  after(() => undo(ofFile));
}

/** To be called once before the first test file, where a process runs more than one. */
export function cleanUpAtProcessEnd(): void {
  ofProcess = [];
  after(() => undo(ofProcess));
}

async function undo(steps: Step[]): Promise<void> {
  const problems: unknown[] = [];
  for (const step of steps.splice(0).reverse()) {
    try {
      await step();
    } catch (problem) {
      problems.push(problem);
    }
  }
  if (problems.length > 0) throw new AggregateError(problems, 'Not everything could be cleaned up.');
}
