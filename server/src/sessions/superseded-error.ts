import { CodedError } from '../platform/coded-error.js';

/** What was to be written belongs to a former life of this node, and others have decided about it meanwhile. Trying again does not help. */
export class SupersededError extends CodedError {
  readonly code = 'err_superseded';

  constructor(sessionId: string) {
    super(`The session ${sessionId} is recorded by a later life of this machine, or by another one.`);
  }
}
