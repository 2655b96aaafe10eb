/** Returns the rows of all Markdown tables of a text whose first cell is a single piece of code. */
export function codeRows(text: string): { code: string; cells: string[] }[];
export function table(headings: string[], rows: (string | number)[][]): string;
export function plain(text?: string): string;
