/** The pages of the repository: path there to path in the site. */
export function pagesOf(root: string): Map<string, string>;
/** A text as the site has it. */
export function siteText(text: string, path: string, pages: Map<string, string>, root: string): string;
