/**
 * An error that the service itself defines. `code` is stable and for programs. The message is a sentence for
 * people.
 */
export abstract class CodedError extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
