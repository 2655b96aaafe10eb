/** A session did not carry out what it was asked for. The sentence is for whoever asked. */
export class HostCallError extends Error {
  /** @param code of the session, or of the way to it: `err_…` */
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'HostCallError';
  }
}
