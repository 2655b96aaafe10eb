/** Returns the pages by their names, and their links for the sidebar. */
export function restPages(
  openapi: unknown,
  guide: string,
): { pages: Record<string, string>; links: { text: string; link: string }[] };
