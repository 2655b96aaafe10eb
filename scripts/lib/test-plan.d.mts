export type Part = 'short' | 'rest' | 'all';
export const LONG_FILES: string[];
export function partOf(environment: NodeJS.ProcessEnv): Part;
export function groupsOf(part: Part, groups: string[]): string[];
export function filesOf(part: Part, group: string, files: string[]): string[];
export function leftOutOf(part: Part): RegExp | undefined;
