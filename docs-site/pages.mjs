/**
 * Puts together what the site is made of: the repository's texts, with links that hold there, beside pages
 * that are generated.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix, relative, resolve } from 'node:path';

/** Texts outside `docs/` that are pages of the site, and their addresses there. */
const MORE_PAGES = {
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'reporting.md',
  'CHANGELOG.md': 'changelog.md',
};
/** Index of the documents on a code host. The site's first page takes its place. */
const INDEX = 'docs/README.md';

/** The pages of the repository: path there to path in the site. */
export function pagesOf(root) {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`)
    .filter((path) => path !== INDEX);
  return new Map([
    ...docs.map((path) => [path, path.slice('docs/'.length)]),
    ...Object.entries(MORE_PAGES),
    [INDEX, 'index.md'],
  ]);
}

/** A file of the repository that is no page: its path in place of a link that would lead nowhere. */
function named(text, path) {
  const plain = text.replaceAll('`', '').replace(/\/$/, '');
  return path.endsWith(plain) || basename(path) === basename(plain) ? `\`${path}\`` : `${text} (\`${path}\`)`;
}

/** The title of a page, in place of the name of its file. */
const titleOf = (path, root) => /^# (.+)$/m.exec(readFileSync(join(root, path), 'utf8'))?.[1] ?? path;

function link(whole, text, target, path, pages, root) {
  if (/^([a-z]+:|#)/i.test(target)) return whole;
  const [file = '', anchor] = target.split('#');
  const wanted = posix.normalize(posix.join(posix.dirname(path), file)).replace(/\/$/, '');
  const page = pages.get(wanted);
  if (page === undefined) return wanted.startsWith('docs/') ? whole : named(text, wanted);
  const from = posix.dirname(pages.get(path));
  const words = text === basename(wanted) ? titleOf(wanted, root) : text;
  return `[${words}](${posix.relative(from, page)}${anchor === undefined ? '' : `#${anchor}`})`;
}

/**
 * A text as the site has it. Links between pages follow them to their addresses there; files that are no
 * pages are named. Snippets (`<<<`) are found from where the text stands in the repository.
 */
export function siteText(text, path, pages, root) {
  const folder = dirname(join(root, path));
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replace(/\[((?:[^\]\n]|\n(?!\n))+)\]\(([^)\s]+)\)/g, (whole, words, target) =>
              link(whole, words, target, path, pages, root),
            )
            .replace(/^<<< (\S+)/gm, (_, file) => `<<< ${resolve(folder, file)}`),
    )
    .join('');
}

/** Writes the pages of the repository below `folder`. */
export function writePages(root, folder) {
  const pages = pagesOf(root);
  for (const [path, page] of pages) {
    const file = join(folder, page);
    mkdirSync(dirname(file), { recursive: true });
    const text = path === INDEX ? join(root, 'docs-site/home.md') : join(root, path);
    writeFileSync(file, siteText(readFileSync(text, 'utf8'), path, pages, root));
  }
  cpSync(join(root, 'docs/images'), join(folder, 'images'), { recursive: true });
  mkdirSync(join(folder, 'public'), { recursive: true });
  cpSync(join(root, 'demo/icon.svg'), join(folder, 'public/icon.svg'));
  return [...pages.values()].map((page) => relative('.', page));
}
