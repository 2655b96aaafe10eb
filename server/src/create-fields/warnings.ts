/** Values of a request that the service changed, as sentences. Each begins with the name of the field. */
export type Warnings = string[];

/** Maximum length of a value in a warning. Warnings are sent in a header, which must not be long. */
const MAX_CHARS = 40;
const MAX_NAMES = 10;

/** Returns a text of the caller for a warning: in quotation marks, and shortened if it is long. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text);
}

/**
 * Returns several texts for a warning, each as {@link quoted} returns it. Only the first texts are listed.
 */
export function quotedAll(texts: readonly string[]): string {
  const more = texts.length - MAX_NAMES;
  const names = texts.slice(0, MAX_NAMES).map(quoted).join(', ');
  return more > 0 ? `${names} and ${more} more` : names;
}
