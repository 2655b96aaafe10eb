const MIB = 1024 * 1024;

/**
 * Maximum size of a message that is buffered until its end arrives, in bytes. This limits how much of the
 * host's memory a page can fill.
 */
export const MAX_MESSAGE_BYTES = 64 * MIB;
/**
 * Maximum size of an answer that is passed on to a program without parsing it, in bytes. Playwright receives
 * screenshots of this size.
 */
export const MAX_RAW_ANSWER_BYTES = 100_000_000;
/**
 * Maximum size of a program's command, as the host writes it, in bytes. Chromium ends if a message does not
 * fit into its buffer of 100 MiB.
 */
export const MAX_RAW_COMMAND_BYTES = 104_000_000;
/**
 * Maximum size of a message made from a page's text, its listeners or the addresses in its history, in bytes.
 * A page can make 50 addresses of 2 MB. Such a message is parsed in one step, while the input and the video
 * of all users wait.
 */
const MAX_PAGE_WORDS_BYTES = 2 * MIB;

/**
 * Returns the maximum size of an answer to a command, or of an event, in bytes. Larger messages are skipped.
 *
 * @param method name of the command or event; undefined for an answer that no caller waits for any more
 */
export function answerLimitOf(method: string | undefined): number {
  return method === undefined || /^(Accessibility|DOMDebugger)\.|^Page\.getNavigationHistory$/.test(method)
    ? MAX_PAGE_WORDS_BYTES
    : MAX_MESSAGE_BYTES;
}
