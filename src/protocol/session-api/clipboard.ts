/** The types that can be copied and pasted, with the names of the browsers' clipboard API. */
export const CLIPBOARD_TYPES = ['text/plain', 'text/html', 'image/png'] as const;

/** One of {@link CLIPBOARD_TYPES}. */
export type ClipboardType = (typeof CLIPBOARD_TYPES)[number];

/** Reports a copy in the remote browser to the user who made it. */
export interface CopiedNotice {
  types: ClipboardType[];
  /** False if the user lacks the role `clipboard_copy`. Then `types` is empty. */
  allowed: boolean;
}
