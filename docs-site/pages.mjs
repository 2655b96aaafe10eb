/** Writes the repository's texts as pages of the site, with links that work there. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix, relative, resolve } from 'node:path';

/** Texts outside `docs/` that are pages of the site, with their paths in the site. */
const MORE_PAGES = {
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'reporting.md',
  'CHANGELOG.md': 'changelog.md',
};
/** Index of the documents on a code host. The site's first page takes its place. */
const INDEX = 'docs/README.md';

/**
 * Returns the texts of the repository that are pages: the path in the repository and the path in the site.
 */
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

/**
 * Returns the path of a file of the repository that is no page. It replaces a link, which would be broken.
 */
function named(text, path) {
  const plain = text.replaceAll('`', '').replace(/\/$/, '');
  return path.endsWith(plain) || basename(path) === basename(plain) ? `\`${path}\`` : `${text} (\`${path}\`)`;
}

/** Returns the title of a page. Links show it instead of the name of the file. */
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
 * Returns a text of the repository for the site. Links between pages get the addresses of the site. The path
 * of the file replaces a link to a file that is no page. The paths of snippets (`<<<`) become absolute,
 * because they are relative to the text in the repository.
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
