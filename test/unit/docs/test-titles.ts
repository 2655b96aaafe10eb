import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

interface Title {
  text: string;
  /** True if the title has placeholders that are filled in when the test runs. */
  template: boolean;
}

/** Returns the titles of a file's tests and groups, as written in its source. */
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
 * Returns true if a file has a test with exactly this title. The values of a template's placeholders must be
 * in the file or in one that it imports.
 */
export function hasTest(file: string, title: string): boolean {
  return titlesOf(file).some(({ text, template }) => {
    if (!template) return text === title;
    const pattern = text.split(/\$\{[^}]*\}/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    const filled = new RegExp(`^${pattern.join('(.+)')}$`, 's').exec(title)?.slice(1);
    const source = withImports(file);
    // A value that the template writes as JSON has no such quotes in the source.
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
