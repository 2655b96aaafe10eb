import { after } from 'node:test';

/** Undoes something, sooner or later. */
export type Step = () => unknown;

const ofFile: Step[] = [];
let ofProcess = ofFile;

/** Undoes something when the test file is over, however it went; last made, first undone. */
export function atEnd(step: Step): void {
  ofFile.push(step);
}

/** Undoes what several test files use: when the last file of this process is over. */
export function atProcessEnd(step: Step): void {
  ofProcess.push(step);
}

/** To be called once, at the top of a test file. */
export function cleanUpAtEnd(): void {
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
