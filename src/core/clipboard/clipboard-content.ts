/** Content of a clipboard, in one or more formats. */
export interface ClipboardContent {
  /** At most 4 MiB as UTF-8. */
  text?: string;
  /** At most 4 MiB as UTF-8. It is not sanitized. Sanitize it before you insert it into your page. */
  html?: string;
  /** The bytes of a PNG file, at most 16 MiB. */
  png?: Uint8Array;
}
