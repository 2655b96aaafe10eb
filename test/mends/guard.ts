/** One place in the source. */
export interface Edit {
  file: string;
  /** Stands there exactly once. */
  search: string;
  /** The code in its place without the guard. */
  replace: string;
}

/** A test that fails when a guard is taken away. */
export interface Proof {
  file: string;
  /** Exact. */
  title: string;
  /** A part of what it says when it fails; without it any failure of this test counts. */
  says?: string;
}

/** Something that closes a hole. */
export interface Guard {
  name: string;
  edits: readonly Edit[];
  proofs: readonly Proof[];
}

const SANDBOX = 'test/e2e/sandbox.test.ts';

/** The test of `test/e2e/sandbox.test.ts` that fails when an attempt of the probe succeeds. */
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
