/** One place in the source. */
export interface Edit {
  file: string;
  /** Code that occurs exactly once in the file. */
  search: string;
  /** The code in its place without the guard. */
  replace: string;
}

/** A test that fails when a guard is removed. */
export interface Proof {
  file: string;
  /** The exact title. */
  title: string;
  /** A part of the expected failure message. Without it any failure of the test counts. */
  says?: string;
}

/** A security check in the source, and the tests that prove it. */
export interface Guard {
  name: string;
  edits: readonly Edit[];
  proofs: readonly Proof[];
}

const SANDBOX = 'test/e2e/sandbox/sandbox.test.ts';

/** The test of `test/e2e/sandbox/sandbox.test.ts` that fails when an attempt of the probe succeeds. */
export const tried = (attempt: string): Proof => ({
  file: SANDBOX,
  title: `a compromised browser of a service that runs as root never ${attempt}`,
  says: `It ${attempt}: {"got"`,
});

/** The same test for a service that does not run as root. */
export const triedWithoutRoot = (attempt: string): Proof => ({
  file: SANDBOX,
  title: `a compromised browser of a service that runs as another user never ${attempt}`,
  says: `It ${attempt}: {"got"`,
});
