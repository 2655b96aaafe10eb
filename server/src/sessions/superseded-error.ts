import { CodedError } from '../platform/coded-error.js';

/**
 * A write belongs to an earlier process of this node, and other nodes have decided about its session in the
 * meantime. Trying again does not help.
 */
export class SupersededError extends CodedError {
  readonly code = 'err_superseded';

  constructor(sessionId: string) {
    super(`A later process of this machine, or another machine, has recorded the session ${sessionId}.`);
  }
}
