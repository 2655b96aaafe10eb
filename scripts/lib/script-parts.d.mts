import type { Plugin } from 'vite';

/** Makes one script with parts that it loads when it needs them. */
export function scriptParts(name: string, loader?: string): Plugin;
/** Returns the value for `chunkFileNames`. */
export function partNames(name: string): string;
