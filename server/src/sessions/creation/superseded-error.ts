import { CodedError } from '../../platform/coded-error.js';

/**
 * The record of a session was not written, because a later process of this node, or another node, has already
 * recorded the end of the session. A retry does not help.
 */
export class SupersededError extends CodedError {
  readonly code = 'err_superseded';

  constructor(sessionId: string) {
    super(
      `A later process of this machine, or another machine, has already recorded the end of the session ${sessionId}.`,
    );
  }
}
