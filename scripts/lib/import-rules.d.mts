/** Source root → zone → zones it may import. */
export type ImportRules = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export const IMPORT_RULES: ImportRules;
export function checkImports(files: ReadonlyMap<string, string>, rules?: ImportRules): string[];
