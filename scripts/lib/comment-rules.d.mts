export const WIDEST_COMMENT: number;
export function commentViolations(text: string): { line: number; rule: string }[];
