import type { CopiedNotice } from '../../protocol/index.js';
import type { ClipboardContent } from './clipboard-content.js';
import type { ClipboardChannel } from './clipboard-channel.js';
import type { ClipboardUpload } from './clipboard-transfers.js';
import type { Remote } from '../calls/remote.js';

/** The clipboard of the remote browser. */
export class Clipboard {
  /** @internal */
  constructor(
    private readonly remote: Remote,
    private readonly transfers: ClipboardChannel,
  ) {}

  /**
   * Returns the content that was last copied in the remote browser. Empty if there is none. Needs the role
   * `clipboard_copy` or the admin token. Rejects as `remote.call` does, with `err_clipboard_too_large` above
   * the size limit, and with `err_clipboard_no_answer` on a timeout.
   */
  async read(): Promise<ClipboardContent> {
    const transfer = await this.remote.call('clipboard.fetch');
    return transfer === 0 ? {} : this.transfers.download(transfer);
  }

  /**
   * Sets the remote browser's clipboard for all users who paste there. Needs control of the browser. Rejects
   * as `remote.call` does, and with the errors of {@link upload}.
   */
  async write(content: ClipboardContent): Promise<void> {
    const upload = this.upload(content);
    await upload.sent;
    await this.remote.call('clipboard.write', [upload.transfer]);
  }

  /**
   * Sets the remote browser's clipboard to an upload, for this user's next paste. The content is removed when
   * another user presses a key or a button.
   */
  bring(transfer: number): Promise<void> {
    return this.remote.call('clipboard.write', [transfer, true]);
  }

  /** True if the session accepts {@link upload}. */
  get takesPaste(): boolean {
    return this.transfers.isOpen;
  }

  /**
   * Uploads content for a later `paste` event. Throws `NotConnectedError` without a connection, and
   * `CallError` if the content is too large. Throws `UnsupportedError` if the code for transfers could not be
   * loaded.
   */
  upload(content: ClipboardContent): ClipboardUpload {
    return this.transfers.upload(content);
  }

  /**
   * Adds a listener for copies that this user makes in the remote browser, by key, menu or button. The
   * listener stays across reconnects. Resolves to a function that removes the listener, after the session has
   * accepted the subscription. Without a connection, resolves at once and subscribes later.
   */
  async onCopied(listener: (copied: CopiedNotice) => void): Promise<() => void> {
    // Wraps the listener, so that a caller may add the same listener twice and remove one of them.
    const told = (copied: CopiedNotice) => listener(copied);
    await this.remote.subscribe('clipboard.onCopied', told);
    return () => this.remote.unsubscribe('clipboard.onCopied', told);
  }
}
