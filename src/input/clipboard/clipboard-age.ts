import { fingerprint, type PastedContent } from './pasted-content.js';

/**
 * Decides if the local clipboard is newer than the remote one. Without a permission, a page can read the
 * local clipboard only inside a `paste` event. So this class derives the age of the local clipboard from
 * copies that the page detects, and from changes of the content.
 */
export class ClipboardAge {
  #remoteIsNewer = false;
  /** True if this page detected a local copy since the last remote copy or check. */
  #copiedHere = false;
  /** True if the user may have copied something outside this page. */
  #wasElsewhere = false;
  /** Fingerprint of the local content that this page saw last. Undefined if no content can be compared. */
  #seen: string | undefined;

  /** Records a copy in the remote browser. */
  remoteCopied(): void {
    // The user may have copied locally just before this remote copy. Then the local content differs from the
    // last seen content, but it is older than the remote copy. So the fingerprint is no longer useful.
    if (this.#copiedHere || this.#wasElsewhere) this.#seen = undefined;
    this.#remoteIsNewer = true;
    this.#copiedHere = this.#wasElsewhere = false;
  }

  /** Records that the local clipboard is the newer one, or that both have the same content. */
  localIsSame(): void {
    this.#remoteIsNewer = false;
  }

  /** Records a copy to the local clipboard. */
  readonly localCopied = (): void => {
    this.#copiedHere = true;
  };

  /** Records that the user was in a place where this page detects no copies. */
  readonly leftPage = (): void => {
    this.#wasElsewhere = true;
  };

  /** Records the content of the local clipboard at the time of the remote copy. */
  remember(content: PastedContent): void {
    this.#seen = fingerprint(content);
  }

  /** Records the current content of the local clipboard. Returns false if the remote clipboard is newer. */
  isNewer(content: PastedContent): boolean {
    const now = fingerprint(content);
    const changed = this.#seen === undefined ? this.#wasElsewhere : now !== this.#seen;
    if (this.#copiedHere || changed) this.#remoteIsNewer = false;
    this.#seen = now;
    this.#copiedHere = this.#wasElsewhere = false;
    return !this.#remoteIsNewer;
  }
}
