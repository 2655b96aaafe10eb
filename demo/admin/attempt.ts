import { sentence } from '../session-keeper.js';
import { toast } from '../toast.js';

/** Waits for something that the session may refuse, and says so if it does. */
export function attempt(action: Promise<unknown>): void {
  action.catch((error: unknown) => toast(sentence(error)));
}
