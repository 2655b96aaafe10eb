import { after } from 'node:test';

const steps: (() => unknown)[] = [];

/** Undoes something when the test file is over, however it went; last made, first undone. */
export function atEnd(step: () => unknown): void {
  steps.push(step);
}

/** To be called once, at the top of a test file. */
export function cleanUpAtEnd(): void {
  after(async () => {
    const problems: unknown[] = [];
    for (const step of steps.splice(0).reverse()) {
      try {
        await step();
      } catch (problem) {
        problems.push(problem);
      }
    }
    if (problems.length > 0) throw new AggregateError(problems, 'Not everything could be cleaned up.');
  });
}
