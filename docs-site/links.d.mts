/** Returns one sentence for each broken link. */
export function brokenLinks(folder: string, base: string): string[];
