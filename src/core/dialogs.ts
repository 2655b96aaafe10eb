import { RemoteMethods } from './remote.js';
import { RemoteListeners } from './remote-listeners.js';

/**
 * The dialogs that pages of the hosted browser have open: `alert`, `confirm`, `prompt`, and the question whether to leave a page.
 * People see and answer them in the picture; here a program can. They need the role `chrome_apis` or the admin token. Methods
 * reject as `remote.call` does.
 */
export class Dialogs extends RemoteMethods {
  /** A page has opened a dialog, and stands still until it is answered. */
  readonly onOpened = new RemoteListeners(this.remote, 'dialogs.onOpened');
  /** The dialog of a tab is answered, by whomever, or gone with its page. */
  readonly onClosed = new RemoteListeners(this.remote, 'dialogs.onClosed');

  readonly list = this.method('dialogs.list');
  /** Rejects with `err_call_failed` when the tab has no dialog open. */
  readonly answer = this.method('dialogs.answer');
}
