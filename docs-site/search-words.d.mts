export const SEARCH_WORDS: Readonly<Record<string, string>>;
export function withSearchWords(html: string, path: string): string;
