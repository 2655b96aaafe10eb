/** Content of a clipboard, in one or more formats of the same thing. */
export interface ClipboardContent {
  /** At most 4 MiB as UTF-8. */
  text?: string;
  /** At most 4 MiB as UTF-8. It is unchanged: sanitize it before you insert it into a page of yours. */
  html?: string;
  /** The bytes of a PNG file, at most 16 MiB. */
  png?: Uint8Array;
}
