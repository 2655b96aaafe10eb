import type { Plugin } from 'vite';
export function slimStyles(code: string): string;
export function slimStylesPlugin(): Plugin;
