/**
 * One sentence for each link that leads nowhere. `folder` is the site, `base` the path that it is served at.
 */
export function brokenLinks(folder: string, base: string): string[];
