export function slug(title: string): string;
