/** Longest address in a request, in characters. */
export const MAX_URL_CHARS = 8192;
/** Longest secret in a request, in characters. */
export const MAX_SECRET_CHARS = 4096;
