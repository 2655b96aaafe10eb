/** What can be copied and pasted, in the names of the clipboard API of browsers. */
export const CLIPBOARD_TYPES = ['text/plain', 'text/html', 'image/png'] as const;

/** One of {@link CLIPBOARD_TYPES}. */
export type ClipboardType = (typeof CLIPBOARD_TYPES)[number];

/** What was copied in the remote browser, as the one who did it is told. */
export interface CopiedNotice {
  types: ClipboardType[];
  /** False: the user lacks the role `clipboard_copy`, and `types` is empty. */
  allowed: boolean;
}
