const MIB = 1024 * 1024;

/** The largest message that is kept while its end is waited for, in bytes: a page cannot make the host hold more. */
export const MAX_MESSAGE_BYTES = 64 * MIB;
/** What is made of a page's words is read in one go, and all users' input and pictures wait for that. Bytes. */
const MAX_PAGE_WORDS_BYTES = 2 * MIB;

/**
 * How large an answer to a command, or an event, may be, in bytes. A larger one is passed over.
 *
 * @param method undefined: an answer that nobody waits for any longer
 */
export function answerLimitOf(method: string | undefined): number {
  return method === undefined || method.startsWith('Accessibility.')
    ? MAX_PAGE_WORDS_BYTES
    : MAX_MESSAGE_BYTES;
}
