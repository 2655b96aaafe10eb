import { CallError, type Calls } from './calls.js';
import { hasRole } from '../users/rights.js';

/** Makes the method known by which text is copied out of the browser. */
export function addClipboardCalls(
  calls: Calls,
  /** The text of the browser's clipboard; empty when there is none. */
  read: () => Promise<string>,
): void {
  calls.add('clipboard.read', (_args, { admin, viewer }) => {
    if (!admin && !(viewer && hasRole(viewer.rights, 'clipboard_copy')))
      throw new CallError('err_forbidden', 'Copying out of this browser needs the role clipboard_copy.');
    return read();
  });
}
