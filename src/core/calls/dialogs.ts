import { RemoteMethods } from './remote.js';
import { RemoteListeners } from './remote-listeners.js';

/**
 * The open dialogs of pages in the remote browser: `alert`, `confirm`, `prompt`, and the confirmation before
 * leaving a page. Users see and answer these dialogs in the picture. With these methods a program can also
 * answer them. Methods and events need the role `chrome_apis` or the admin token. Methods reject as
 * `remote.call` does.
 */
export class Dialogs extends RemoteMethods {
  /** A page has opened a dialog. The page is blocked until the dialog is answered. */
  readonly onOpened = new RemoteListeners(this.remote, 'dialogs.onOpened');
  /** A user or program has answered the dialog of a tab, or its page is gone. */
  readonly onClosed = new RemoteListeners(this.remote, 'dialogs.onClosed');

  readonly list = this.method('dialogs.list');
  /** Answers the dialog of a tab. Rejects with `err_call_failed` if the tab has no open dialog. */
  readonly answer = this.method('dialogs.answer');
}
