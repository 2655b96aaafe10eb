import type { ClipboardContent } from '../../core/index.js';
import type { ClipboardType } from '../../protocol/index.js';

/** Content that this user copied in the remote browser. */
export interface RemoteCopy {
  /** Available formats. Empty without the role `clipboard_copy`. */
  readonly types: readonly ClipboardType[];
  /** True if the user has the role `clipboard_copy` and can read the content. */
  readonly allowed: boolean;
  /** Returns the content. Rejects like `Clipboard.read`. */
  read(): Promise<ClipboardContent>;
  /** Keeps the local clipboard unchanged, so that the page can handle the copy itself. */
  preventDefault(): void;
}

/**
 * Result of a copy from the remote browser, or of a paste into it:
 *
 * - `copied`: the content is on the local clipboard
 * - `waiting`: the local browser requires another user gesture: a click on the picture, or `copyNow()` in a
 *   click or key handler of the page
 * - `failed`: the content could not be copied or pasted. The message says why
 */
export interface CopyState {
  state: 'copied' | 'waiting' | 'failed';
  /** An English sentence for users. Empty if there is nothing to show. */
  message: string;
  /** Key of the message for translations: `copied`, `waiting`, `unwritable`, `files`, or an error code. */
  code?: string;
}
