import { sentence } from './session-keeper.js';
import { toast } from './toast.js';

/** Waits for something that the session may refuse, and says so if it does. A button that asked for it waits as well. */
export function attempt(action: Promise<unknown>, button?: HTMLButtonElement): void {
  if (button) button.disabled = true;
  action
    .catch((error: unknown) => toast(sentence(error)))
    .finally(() => {
      if (button) button.disabled = false;
    });
}
