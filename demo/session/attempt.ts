import { sentence } from './session-keeper.js';
import { toast } from '../toast.js';

/**
 * Waits for a call that the session may refuse, and shows the error. Disables the button of the call
 * meanwhile.
 */
export function attempt(action: Promise<unknown>, button?: HTMLButtonElement): void {
  if (button) button.disabled = true;
  action
    .catch((error: unknown) => toast(sentence(error)))
    .finally(() => {
      if (button) button.disabled = false;
    });
}
