import { CodedError } from '../../platform/coded-error.js';

/**
 * A write comes from an earlier process of this node, and other nodes have already ended its session in the
 * records. A retry does not help.
 */
export class SupersededError extends CodedError {
  readonly code = 'err_superseded';

  constructor(sessionId: string) {
    super(`A later process of this machine, or another machine, has recorded the session ${sessionId}.`);
  }
}
