/** A session host ended before it could serve. */
export class HostFailure extends Error {
  readonly code = 'err_host_failed';

  constructor(
    problem: string,
    /** Last part of its error output. */
    readonly output: string,
  ) {
    super(problem);
    this.name = 'HostFailure';
  }
}
