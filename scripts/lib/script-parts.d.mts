import type { Plugin } from 'vite';

/** Makes one script with parts that it loads when it needs them. */
export function scriptParts(): Plugin;
/** For `chunkFileNames`. */
export const PART_NAMES: string;
