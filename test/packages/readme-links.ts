import { slug } from '../../docs-site/slug.mjs';

/** Targets of the links and pictures of Markdown and of the HTML in it. */
const LINKS = /\]\(([^)\s]+)[^)]*\)|<(?:a|img)\b[^>]*?(?:href|src)="([^"]+)"|^\[[^\]]+\]:\s*(\S+)/gm;

/** Returns the links of a README that are broken for a user who has only the package. */
export function brokenLinks(text: string, files: readonly string[]): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '');
  const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => `#${slug(heading)}`);
  return [...prose.matchAll(LINKS)]
    .map(([, markdown, html, reference]) => markdown ?? html ?? reference ?? '')
    .filter((link) => !/^https:\/\//.test(link) && !headings.includes(link) && !files.includes(link));
}
