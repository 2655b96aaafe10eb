/** What was taken in another way than a request said it, in sentences that begin with the name of the field. */
export type Warnings = string[];

/** A value may be long, and a header may not. */
const MAX_CHARS = 40;
const MAX_NAMES = 10;

/** A text of a caller's within a warning. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text);
}

/** Several of them. */
export function quotedAll(texts: readonly string[]): string {
  const more = texts.length - MAX_NAMES;
  const names = texts.slice(0, MAX_NAMES).map(quoted).join(', ');
  return more > 0 ? `${names} and ${more} more` : names;
}
