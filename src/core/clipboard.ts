import type { CopiedNotice } from '../protocol/index.js';
import type { ClipboardContent } from './clipboard-content.js';
import type { ClipboardChannel } from './clipboard-channel.js';
import type { Upload } from './clipboard-transfers.js';
import type { Remote } from './remote.js';

/** The clipboard of the remote browser. */
export class Clipboard {
  /** @internal */
  constructor(
    private readonly remote: Remote,
    private readonly transfers: ClipboardChannel,
  ) {}

  /**
   * What was copied last; empty when nothing was. Needs the role `clipboard_copy` or the admin token. Rejects as `remote.call` does, with
   * `err_clipboard_too_large` for more than may be, with `err_clipboard_no_answer` when it does not come in time.
   */
  async read(): Promise<ClipboardContent> {
    const transfer = await this.remote.call('clipboard.fetch');
    return transfer === 0 ? {} : this.transfers.download(transfer);
  }

  /**
   * Puts something on the remote browser's clipboard, for everybody who pastes there. Needs control of the browser. Rejects as
   * `remote.call` does.
   */
  async write(content: ClipboardContent): Promise<void> {
    const upload = this.upload(content);
    await upload.sent;
    await this.remote.call('clipboard.write', [upload.transfer]);
  }

  /** Puts what was uploaded on the remote browser's clipboard until somebody else acts there: for this user's next paste. */
  bring(transfer: number): Promise<void> {
    return this.remote.call('clipboard.write', [transfer, true]);
  }

  /** Whether the session takes what {@link upload} sends. */
  get takesPaste(): boolean {
    return this.transfers.isOpen;
  }

  /** Sends something that a `paste` event will name. Throws `NotConnectedError`, and `CallError` for what is too large. */
  upload(content: ClipboardContent): Upload {
    return this.transfers.upload(content);
  }

  /**
   * Listens for what this user copies in the remote browser, by whatever key, menu or button, over reconnects too. Resolves, when the
   * session agrees, to what ends it.
   */
  async onCopied(listener: (copied: CopiedNotice) => void): Promise<() => void> {
    // A function of its own: somebody may listen twice and stop once.
    const told = (copied: CopiedNotice) => listener(copied);
    await this.remote.subscribe('clipboard.onCopied', told);
    return () => this.remote.unsubscribe('clipboard.onCopied', told);
  }
}
