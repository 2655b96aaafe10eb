/** Undoes something, sooner or later. */
export type Step = () => unknown;

/** Takes what is to be undone when something ends: a test file, or a worker of the test runner. */
export type End = (step: Step) => void;

/** What to undo, in the reverse of the order in which it was made. */
export class Cleanup {
  readonly #steps: Step[] = [];

  readonly add: End = (step) => void this.#steps.push(step);

  /** Undoes everything, even if something fails; throws an AggregateError of what failed. */
  async run(): Promise<void> {
    const problems: unknown[] = [];
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step();
      } catch (problem) {
        problems.push(problem);
      }
    }
    if (problems.length > 0) throw new AggregateError(problems, 'Not everything could be cleaned up.');
  }
}

/** What the test file that runs has made. A worker runs one file at a time, so there is one of it. */
const file = new Cleanup();
const betweenFiles = new Set<Step>();
const reports = new Map<() => string | Promise<string>, string>();

/** Undoes something when the test file is over, however it went; last made, first undone. */
export const atEnd: End = (step) => file.add(step);

/** Does something whenever a test file is over, until `end`. */
export function atEachEnd(step: Step, end: End): void {
  betweenFiles.add(step);
  end(() => betweenFiles.delete(step));
}

/** Adds a text of this name to what is kept of each failure, until `end`. */
export function atFailure(name: string, report: () => string | Promise<string>, end: End): void {
  reports.set(report, name);
  end(() => reports.delete(report));
}

/** What the running services and windows tell about a failure. */
export async function evidence(): Promise<{ name: string; text: string }[]> {
  return Promise.all([...reports].map(async ([report, name]) => ({ name, text: await report() })));
}

/** Ends what the test file has made. */
export async function endFile(): Promise<void> {
  const all = new Cleanup();
  for (const step of betweenFiles) all.add(step);
  all.add(() => file.run());
  await all.run();
}
