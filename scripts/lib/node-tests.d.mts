export function testFiles(folder: string): string[];
