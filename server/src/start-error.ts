/** The service cannot start as it is configured. The message says what to do. */
export class StartError extends Error {
  readonly code = 'err_start';

  constructor(message: string) {
    super(message);
    this.name = 'StartError';
  }
}
