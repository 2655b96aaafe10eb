import { readFile } from 'node:fs/promises';
import { defineConfig, type Plugin } from 'vite';

const SERVICE = 'http://127.0.0.1:8080';

/**
 * Paths that the demo requests from the service. An embed URL starts with a session id of 22 base64url
 * characters.
 */
const SERVICE_PATHS = ['^/v0/', '^/demo/key$', '^/embed/', '^/[A-Za-z0-9_-]{22}([/?]|$)'];

/**
 * Replaces `<!-- part: NAME -->` in a page by the file `demo/parts/NAME.html`, for markup of several pages.
 */
const sharedParts: Plugin = {
  name: 'shared-parts',
  transformIndexHtml: {
    order: 'pre',
    handler: async (html) => {
      const names = [...html.matchAll(/<!-- part: ([a-z-]+) -->/g)].map(([, name = '']) => name);
      const parts = await Promise.all(
        names.map((name) => readFile(new URL(`demo/parts/${name}.html`, import.meta.url), 'utf8')),
      );
      return html.replace(/<!-- part: [a-z-]+ -->/g, () => parts.shift() ?? '');
    },
  },
};

/**
 * Builds the demo: pages for the paths `/`, `/mobile`, `/admin` and `/operator`, and assets for paths below
 * `/demo/`. Also serves the demo for development.
 */
export default defineConfig(({ command }) => ({
  root: 'demo',
  base: command === 'build' ? '/demo/' : '/',
  plugins: [sharedParts],
  build: {
    outDir: '../server/dist/pages/demo',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { input: ['index', 'mobile', 'admin', 'operator'].map((name) => `demo/${name}.html`) },
  },
  server: {
    proxy: Object.fromEntries(SERVICE_PATHS.map((path) => [path, { target: SERVICE, ws: true }])),
  },
}));
