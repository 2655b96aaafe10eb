/** A function that undoes something. */
export type Step = () => unknown;

/** Registers a clean-up that runs when a scope ends: a test file, or a worker of the test runner. */
export type End = (step: Step) => void;

/** A list of clean-ups, which run in reverse order. */
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

/** The clean-ups of the running test file. A worker runs one file at a time, so one list is enough. */
const file = new Cleanup();
const betweenFiles = new Set<Step>();
const reports = new Map<() => string | Promise<string>, string>();

/** Runs a clean-up when the test file ends, passed or failed; the last registered runs first. */
export const atEnd: End = (step) => file.add(step);

/** Runs a function after every test file, until `end`. */
export function atEachEnd(step: Step, end: End): void {
  betweenFiles.add(step);
  end(() => betweenFiles.delete(step));
}

/** Attaches a text of this name to each failure, until `end`. */
export function atFailure(name: string, report: () => string | Promise<string>, end: End): void {
  reports.set(report, name);
  end(() => reports.delete(report));
}

/** The texts that the running services and windows attach to a failure. */
export async function evidence(): Promise<{ name: string; text: string }[]> {
  return Promise.all([...reports].map(async ([report, name]) => ({ name, text: await report() })));
}

/** Runs all clean-ups of the test file. */
export async function endFile(): Promise<void> {
  const all = new Cleanup();
  for (const step of betweenFiles) all.add(step);
  all.add(() => file.run());
  await all.run();
}
