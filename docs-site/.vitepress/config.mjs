import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { slug } from '../slug.mjs';
import { withSearchWords } from '../search-words.mjs';
import { sidebar } from '../sidebar.mjs';

const inSite = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const generated = inSite('.build/source/reference/pages.json');
const reference = existsSync(generated) ? JSON.parse(readFileSync(generated, 'utf8')) : { sdk: [], rest: [] };

/** Settings of VitePress. The site loads nothing from other hosts. */
export default defineConfig({
  base: '/docs/',
  lang: 'en',
  title: 'cloud-browser',
  description: 'A real Chromium on your server, shown and used inside your page.',
  srcDir: inSite('.build/source'),
  outDir: inSite('../.build/docs'),
  cacheDir: inSite('.build/cache'),
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/docs/icon.svg' }]],
  markdown: {
    anchor: { slugify: slug },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
  },
  metaChunk: true,
  themeConfig: {
    logo: { src: '/icon.svg', alt: '' },
    nav: [
      { text: 'Start', link: '/start/' },
      { text: 'SDK', link: '/reference/sdk/' },
      { text: 'REST', link: '/reference/rest' },
      { text: 'Troubleshooting', link: '/troubleshooting' },
    ],
    sidebar: sidebar(reference),
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        // A word in the title of a member of the SDK counts no more than a guide that is about it.
        miniSearch: {
          searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 2, text: 2, titles: 0.5 } },
        },
        _render(source, env, md) {
          const html = md.render(source, env);
          return env.frontmatter?.search === false ? '' : withSearchWords(html, env.relativePath);
        },
      },
    },
    docFooter: { prev: 'Before', next: 'Next' },
  },
});
