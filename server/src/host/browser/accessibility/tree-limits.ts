/** More nodes of a page are not mirrored. */
export const MAX_NODES = 20_000;
/** What lies deeper is not mirrored. */
export const MAX_DEPTH = 200;
/** Of a tree that says more than this in all, the rest is told without texts. Characters. */
export const MAX_CHARS = 4_000_000;
/** Longer texts are cut: nobody has them read out, and they cost every viewer. Characters. */
export const MAX_TEXT = 2_000;
/** Longer values are cut; a person who writes more does so in pieces. Characters. */
export const MAX_VALUE = 32_768;
/** What a page can call a role, or a shortcut. Characters. */
export const MAX_TOKEN = 100;
/** Frames of other processes whose inside is mirrored. */
export const MAX_FRAMES = 100;
/** A page that says more in one answer is left alone for a while: to read it costs all viewers frames of the picture. Characters. */
export const MAX_ANSWER_CHARS = 1_000_000;
/** Of a longer answer the rest is asked for in steps. Nodes. */
export const MAX_ANSWER_NODES = 2_000;
