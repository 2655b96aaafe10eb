import { defineConfig, type Plugin } from 'vite';

/**
 * Adds the small early script to the page. The page runs it as soon as it is loaded, before all other files.
 */
function earlyScript(): Plugin {
  return {
    name: 'early-script',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const early = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'early');
        if (!early) throw new Error('The early script is not in the bundle.');
        const attrs = { type: 'module', async: true, crossorigin: true, src: `/embed/${early.fileName}` };
        return [{ tag: 'script', attrs, injectTo: 'head-prepend' }];
      },
    },
  };
}

/** Builds the page behind an embed URL. The page has many addresses, so its assets have a fixed path. */
export default defineConfig({
  root: 'src/embed',
  base: '/embed/',
  plugins: [earlyScript()],
  build: {
    outDir: '../../server/dist/pages/embed',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rollupOptions: { input: { index: 'src/embed/index.html', early: 'src/embed/early.ts' } },
  },
});
