/** A session host that ended before it could serve. */
export class HostFailure extends Error {
  readonly code = 'err_host_failed';

  constructor(
    problem: string,
    /** The last lines it wrote. */
    readonly output: string,
  ) {
    super(problem);
    this.name = 'HostFailure';
  }
}
