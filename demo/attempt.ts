import { sentence } from './session-keeper.js';
import { toast } from './toast.js';

/** Awaits a call that the session may refuse, and shows the refusal. The button that made the call is disabled meanwhile. */
export function attempt(action: Promise<unknown>, button?: HTMLButtonElement): void {
  if (button) button.disabled = true;
  action
    .catch((error: unknown) => toast(sentence(error)))
    .finally(() => {
      if (button) button.disabled = false;
    });
}
