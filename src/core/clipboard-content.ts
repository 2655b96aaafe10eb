/** What is on a clipboard, in one or more forms of the same thing. */
export interface ClipboardContent {
  /** 4 MiB at most, as UTF-8. */
  text?: string;
  /** 4 MiB at most, as UTF-8. As it was copied: clean it before it becomes a part of a page of yours. */
  html?: string;
  /** The bytes of a PNG file, 16 MiB at most. */
  png?: Uint8Array;
}
