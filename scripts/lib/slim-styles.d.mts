import type { Plugin } from 'vite';
export function slimStyles(code: string): string;
export function slimStylesPlugin(): Plugin;
/** Takes the indentation out of a module with `html` templates. */
export function slimMarkup(code: string): string;
