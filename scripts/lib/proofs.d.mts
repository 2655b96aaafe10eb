export const RULES: readonly string[];
export function namesIn(cell: string): string[];
export function migrationRows(page: string): string[];
export function proofsOf(
  rows: readonly string[],
  files: Iterable<readonly [path: string, text: string]>,
): { tests: Map<string, string[]>; problems: string[] };
