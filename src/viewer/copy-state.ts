import type { ClipboardContent } from '../core/index.js';
import type { ClipboardType } from '../protocol/index.js';

/** Something that this user has copied in the remote browser. */
export interface RemoteCopy {
  /** In which forms; empty without the role `clipboard_copy`. */
  readonly types: readonly ClipboardType[];
  /** The user has the role `clipboard_copy`, so it can be read. */
  readonly allowed: boolean;
  /** What it is. Rejects as `Clipboard.read`. */
  read(): Promise<ClipboardContent>;
  /** The local clipboard stays as it is: the page does something of its own with it. */
  preventDefault(): void;
}

/**
 * What became of something that was copied in the remote browser, or pasted there:
 *
 * - `copied`: it is on the local clipboard
 * - `waiting`: the browser demands another gesture: one click on the picture, or `copyNow()` in one of yours
 * - `failed`: it cannot be had, or cannot be pasted; the message says why
 */
export interface CopyState {
  state: 'copied' | 'waiting' | 'failed';
  /** A sentence for people, in English; empty when there is nothing to say. */
  message: string;
  /** What it says, for other languages: `copied`, `waiting`, `unwritable`, or the code of an error. */
  code?: string;
}
