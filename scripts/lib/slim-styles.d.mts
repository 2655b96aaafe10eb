import type { Plugin } from 'vite';
export function slimStyles(code: string): string;
export function slimStylesPlugin(): Plugin;
/** Removes the indentation in a module with `html` templates. */
export function slimMarkup(code: string): string;
