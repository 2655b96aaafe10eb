/** Returns the texts of the repository that are pages, with their paths in the site. */
export function pagesOf(root: string): Map<string, string>;
/** Returns a text of the repository for the site. */
export function siteText(text: string, path: string, pages: Map<string, string>, root: string): string;
