/** Maximum number of nodes of a page that the host stores. */
export const MAX_NODES = 20_000;
/** Maximum depth of nodes that the host stores. */
export const MAX_DEPTH = 200;
/**
 * Maximum length of all texts of a tree together. If it is exceeded, further nodes lose their long texts.
 * Characters.
 */
export const MAX_CHARS = 4_000_000;
/**
 * Maximum length of a text. Every viewer would receive a longer text, although users of screen readers do not
 * listen to it. Characters.
 */
export const MAX_TEXT = 2_000;
/** Maximum length of a value that viewers receive. A longer value is cut. Characters. */
export const MAX_VALUE = 32_768;
/** Maximum length of a role or a shortcut. Characters. */
export const MAX_TOKEN = 100;
/** Maximum number of frames with their own process whose content the host stores. */
export const MAX_FRAMES = 100;
/**
 * Maximum length of all texts in one answer. A page with more text is not read for a while, because reading
 * it would delay the video of all viewers. Characters.
 */
export const MAX_ANSWER_CHARS = 1_000_000;
/** Maximum number of nodes read from one answer. The rest is requested in steps. */
export const MAX_ANSWER_NODES = 2_000;
