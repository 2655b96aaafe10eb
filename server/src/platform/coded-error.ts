/**
 * An error that the service itself defines. `code` is stable and for programs. The message is a sentence for
 * people.
 */
export abstract class CodedError extends Error {
  abstract readonly code: string;

  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}
