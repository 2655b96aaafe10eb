/** A session host ended before it could serve, or its browser did not start. */
export class HostFailure extends Error {
  readonly code = 'err_host_failed';

  constructor(
    problem: string,
    /** Last part of the host's error output. */
    readonly output: string,
  ) {
    super(problem);
    this.name = 'HostFailure';
  }
}
