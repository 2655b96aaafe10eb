import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

interface Title {
  text: string;
  /** It has holes that are filled in when the test runs. */
  template: boolean;
}

/** Returns the titles of a file's tests and groups, as in its source. */
export function titlesOf(file: string): Title[] {
  if (!existsSync(join(ROOT, file))) return [];
  const titles = readFileSync(join(ROOT, file), 'utf8').matchAll(
    /(?<!\.)\b(?:it|test|(?:test\.)?describe)\(\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"|`([^`]*)`)/g,
  );
  return [...titles].map(([, single, double, template]) => ({
    text: single ?? double ?? template ?? '',
    template: template !== undefined,
  }));
}

/**
 * Returns true if a file has a test of exactly this title. The values in a template's holes must be in the
 * file as well, or in one that it imports.
 */
export function hasTest(file: string, title: string): boolean {
  return titlesOf(file).some(({ text, template }) => {
    if (!template) return text === title;
    const pattern = text.split(/\$\{[^}]*\}/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    const filled = new RegExp(`^${pattern.join('(.+)')}$`, 's').exec(title)?.slice(1);
    const source = withImports(file);
    // A value that the template writes as JSON is in the source without those quotes.
    return filled?.every((part) => source.includes(part.replace(/^"(.*)"$/, '$1'))) ?? false;
  });
}

function withImports(file: string): string {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const imports = [...source.matchAll(/ from '(\.{1,2}\/[^']+)\.js'/g)].map(([, name = '']) =>
    join(ROOT, dirname(file), `${name}.ts`),
  );
  return [source, ...imports.filter(existsSync).map((path) => readFileSync(path, 'utf8'))].join('\n');
}
